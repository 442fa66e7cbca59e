import type { StoredNode } from './node-book.ts';

/** How many probes a round has. */
const PROBES = 3;
/** Between two probes of the same node. */
const SPACING_MS = 500;

/** What one probe found: how long the node took, or that it did not answer; undefined where it may not be asked. */
export type ProbeResult =
  | { readonly kind: 'answered'; readonly ms: number }
  | { readonly kind: 'failed' }
  | { readonly kind: 'not-asked' };

export interface Prober {
  /** Whether a node was heard of late by its heartbeats: it need not be asked. */
  readonly isHeard: (node: StoredNode) => boolean;
  readonly ask: (node: StoredNode) => Promise<ProbeResult>;
  /** At least 0, less than 1. */
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

export interface ProbedNode {
  readonly node: StoredNode;
  readonly result: ProbeResult;
}

export interface ProbeRound {
  readonly sent: number;
  readonly failed: number;
  readonly probed: readonly ProbedNode[];
}

/**
 * Three probes of a region, of three nodes drawn at random where it has as many. A node that was
 * heard of late counts as one that answered. One that may not be asked is left to its heartbeats.
 */
export async function probeRound(
  nodes: readonly StoredNode[],
  { isHeard, ask, random, wait }: Prober,
): Promise<ProbeRound> {
  const probed: ProbedNode[] = [];
  let answered = 0;
  let failed = 0;
  const drawn = draw(nodes, random);
  for (let i = 0; i < PROBES; i++) {
    const node = drawn[i % drawn.length];
    if (!node) break;
    if (isHeard(node)) {
      answered += 1;
      continue;
    }
    if (i >= drawn.length) await wait(SPACING_MS);
    const result = await ask(node);
    probed.push({ node, result });
    if (result.kind === 'answered') answered += 1;
    if (result.kind === 'failed') failed += 1;
  }
  return { sent: answered + failed, failed, probed };
}

/** As many nodes as a round probes, none of them twice. */
function draw(nodes: readonly StoredNode[], random: () => number): readonly StoredNode[] {
  const rest = [...nodes];
  const count = Math.min(PROBES, rest.length);
  return Array.from({ length: count }, () =>
    rest.splice(Math.floor(random() * rest.length), 1),
  ).flat();
}
