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
 * Three probes of a region, of three nodes where it has as many; the next round begins with the next
 * node. A node that was heard of late counts as one that answered. One that sends heartbeats, is
 * silent and may not be asked counts as one that did not.
 */
export async function probeRound(
  nodes: readonly StoredNode[],
  first: number,
  { isHeard, ask, wait }: Prober,
): Promise<ProbeRound> {
  const probed: ProbedNode[] = [];
  let answered = 0;
  let failed = 0;
  for (let i = 0; i < PROBES; i++) {
    const node = nodes[(first + i) % nodes.length];
    if (!node) break;
    if (isHeard(node)) {
      answered += 1;
      continue;
    }
    if (i >= nodes.length) await wait(SPACING_MS);
    const result = await ask(node);
    probed.push({ node, result });
    if (result.kind === 'answered') answered += 1;
    if (result.kind === 'failed' || (result.kind === 'not-asked' && node.hasHeartbeats)) {
      failed += 1;
    }
  }
  return { sent: answered + failed, failed, probed };
}
