import type { BrainRoute } from '../../../edge/brain/contract/reply.ts';
import type { TopologyEdge } from '../../../edge/discovery/contract/node.ts';

/** For so long a way stays lit that nobody has chosen. */
const LIT_S = 10;

/** The routes whose ways are lit: the chosen one, else those of the last seconds. `now` in seconds. */
export function litRoutes(
  routes: readonly BrainRoute[],
  chosen: string | undefined,
  now: number,
): readonly BrainRoute[] {
  if (chosen !== undefined) return routes.filter(({ route_id: id }) => id === chosen);
  return routes.filter(({ at }) => now - Date.parse(at) / 1000 < LIT_S);
}

/** Whether one of the routes goes along a way. */
export const isTaken = (edge: TopologyEdge, routes: readonly BrainRoute[]): boolean =>
  routes.some(
    ({ pfc, hops }) =>
      pfc.node_id === edge.source &&
      hops.some(
        (hop) => hop.node_id === edge.target && hop.fallback === (edge.relation === 'fallback'),
      ),
  );
