import { type AskedBrain, askPfc } from './contract/ask-pfc.ts';
import { brainEndpoints, MAX_ROUTES } from './endpoints.ts';
import type { BrainPrompt } from './contract/prompt.ts';
import type { NodeInfo } from '../discovery/contract/node.ts';
import { nodesOf, routesIn, shardObject } from '../discovery/discovery-stub.ts';
import type { Env } from '../env.ts';
import { placeRequest, regionTable } from '../geo/request-region.ts';
import { namedTeam } from '../http/ownership.ts';
import { routesOf } from '../http/route.ts';
import type { Routing } from '../geo/state.ts';

/** Prompts to a brain over HTTP. A PFC routes them; the gateway only finds one. */
export const brainRoutes = routesOf<Env, typeof brainEndpoints>(brainEndpoints, {
  askBrain: async (call) => {
    const { env, query, body, caller } = call;
    const { namespace } = query;
    const own = { team: namedTeam(caller, query.team), namespace };
    const table = await regionTable(call);
    const nodes = async () => placed(await nodesOf(env, own), table);
    const prompt = withPriority(body, await nodes(), table?.active);
    const brain: AskedBrain = {
      namespace,
      nodes,
      ask: ({ node_id: nodeId, region_id: region }, text, patience) =>
        shardObject(env, { ...own, region }).ask({ nodeId, prompt: text, ...patience }),
    };
    return { status: 200, body: await askPfc(brain, prompt) };
  },
  listRoutes: async ({ env, caller, query: { namespace, limit, team } }) => {
    const all = await routesIn(env, { team: namedTeam(caller, team), namespace });
    const routes = all.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MAX_ROUTES);
    return { status: 200, body: { routes: routes.slice(0, limit), total: routes.length } };
  },
});

/** Nodes of regions that are offline or draining are left out while there are others. */
function placed(nodes: readonly NodeInfo[], table: Routing | undefined): readonly NodeInfo[] {
  if (!table || table.nodes === 0) return nodes;
  const active = nodes.filter(({ status }) => status === 'active');
  return placeRequest(active, null, table).instances;
}

/**
 * The active region comes first where it has nodes of this brain, unless the prompt names others.
 */
function withPriority(
  prompt: BrainPrompt,
  nodes: readonly NodeInfo[],
  active: string | null | undefined,
): BrainPrompt {
  const isThere = nodes.some(({ region_id: id, status }) => id === active && status === 'active');
  if (prompt.region_priority || !active || !isThere) return prompt;
  return { ...prompt, region_priority: [active] };
}
