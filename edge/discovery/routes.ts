import { discoveryEndpoints } from './endpoints.ts';
import { topologyOf, uiExportOf } from './contract/node-views.ts';
import { nodesOf } from './discovery-stub.ts';
import type { Env } from '../env.ts';
import { namedTeam } from '../http/ownership.ts';
import { routesOf } from '../http/route.ts';

/** What is known of the nodes of a brain, asked of the brokers of its regions. */
export const nodeDiscoveryRoutes = routesOf<Env, typeof discoveryEndpoints>(discoveryEndpoints, {
  nodeHealth: async ({ env, caller, query: { namespace, region, team } }) => ({
    status: 200,
    body: uiExportOf(
      await nodesOf(env, { team: namedTeam(caller, team), namespace }, region),
      Date.now(),
    ),
  }),
  nodeTopology: async ({ env, caller, query: { namespace, region, team } }) => ({
    status: 200,
    body: topologyOf(
      await nodesOf(env, { team: namedTeam(caller, team), namespace }, region),
      Date.now(),
    ),
  }),
});
