import type { Peer, PeerResult } from './peers.ts';
import { median, note } from './report.ts';

export interface Contestant {
  readonly name: string;
  work(): Promise<PeerResult>;
}

export interface RoundOptions {
  /** Rounds in which everyone works once. */
  readonly rounds: number;
  /** Times that ours works in one round, as it is cheap and its number is the claim. */
  readonly turns: number;
  /** A peer whose turn took longer is left out of the later rounds. */
  readonly slowMs: number;
}

/**
 * Has ours and the peers work in turn, so that what else the machine does meets all of them, and
 * gives the median of each in milliseconds.
 */
export async function playRounds(
  ours: Contestant,
  peers: readonly Peer[],
  { rounds, turns, slowMs }: RoundOptions,
): Promise<Readonly<Record<string, number>>> {
  const times = new Map<string, number[]>();
  const takeTurn = async ({ name, work }: Contestant) => {
    const { ms, loss } = await work();
    times.set(name, [...(times.get(name) ?? []), ms]);
    const suffix = loss === undefined ? '' : `, loss ${loss.toFixed(3)}`;
    note(`${name}: ${ms.toFixed(1)} ms${suffix}`);
  };
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < turns; turn++) await takeTurn(ours);
    for (const peer of peers) {
      if (Math.max(0, ...(times.get(peer.name) ?? [])) < slowMs) await takeTurn(peer);
    }
  }
  for (const [name, its] of times) {
    note(`${name}: median ${median(its).toFixed(1)} ms, best ${Math.min(...its).toFixed(1)} ms`);
  }
  return Object.fromEntries([...times].map(([name, its]) => [name, median(its)]));
}
