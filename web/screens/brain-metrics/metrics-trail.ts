import type { LogMetrics } from '../../../edge/logs/contract/log-message.ts';

/** Metrics sampled at one time, in ms since 1970. */
export interface Reading {
  readonly at: number;
  readonly metrics: LogMetrics;
}

/** As many readings are kept: an hour of one every 5 s. */
const MOST = 720;

export type CounterName = 'send_timeouts' | 'broadcast_drops' | 'persist_drops';

/** The readings with one more; the same where it was taken in before. */
export function withReading(trail: readonly Reading[], reading: Reading): readonly Reading[] {
  const last = trail.at(-1);
  return last && last.at >= reading.at ? trail : [...trail, reading].slice(-MOST);
}

type Points = readonly (readonly [number, number | null])[];

export const clientsOf = (trail: readonly Reading[]): Points =>
  trail.map(({ at, metrics }) => [at, metrics.connected_clients] as const);

/** By how much a counter grew from each reading to the next; all of it where it began anew. */
export function growthOf(trail: readonly Reading[], name: CounterName): Points {
  return trail.slice(1).map(({ at, metrics }, i) => {
    const before = trail[i]?.metrics[name] ?? 0;
    const now = metrics[name];
    return [at, now >= before ? now - before : now] as const;
  });
}
