import type { Topology } from '../../../edge/discovery/contract/node.ts';

/** How healthy the nodes were at a moment, in ms since 1970. */
export interface HealthReading {
  readonly at: number;
  readonly scores: ReadonlyMap<string, number>;
}

/** As many readings are kept: ten minutes of one every 2 s. */
const MOST = 300;

/** The readings with one more; the same where it was taken in before. */
export function withTopology(
  trail: readonly HealthReading[],
  { nodes, timestamp }: Topology,
): readonly HealthReading[] {
  const at = timestamp * 1000;
  if ((trail.at(-1)?.at ?? 0) >= at) return trail;
  const scores = new Map(nodes.map(({ node_id: id, health_score: score }) => [id, score]));
  return [...trail, { at, scores }].slice(-MOST);
}

/** The health of one node over time; null where it was not there. */
export const healthOf = (trail: readonly HealthReading[], nodeId: string) =>
  trail.map(({ at, scores }) => [at, scores.get(nodeId) ?? null] as const);
