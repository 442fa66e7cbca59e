import type * as z from 'zod/mini';
import { type Answered, callEndpoint } from '../../contract/endpoint-client.ts';
import { geoEndpoints } from '../endpoints.ts';
import type { GeoEventList } from './event.ts';
import type { FailoverEntry, FailoverHistory, FailoverInput, FailoverPlan } from './failover.ts';
import type { LatencyMatrix, ReplicationGroup } from './latency.ts';
import type {
  GeoNode,
  NodeHeartbeatAnswer,
  NewNode,
  NodeDeleted,
  NodeHeartbeat,
  NodeList,
  NodeStatus,
} from './node.ts';
import type {
  ActiveRegion,
  ActiveRegionChange,
  GeoStatus,
  NewRegion,
  RegionDeleted,
  RegionList,
  RegionRecord,
  StatusChange,
} from './region.ts';
import { type HttpOptions, openHttp } from '../../contract/http-client.ts';

interface NodeFilters {
  readonly region_id?: string;
  readonly status?: NodeStatus;
  readonly limit?: number;
  readonly cursor?: string;
}

type FailoverAsked = z.input<typeof FailoverInput>;

/** Regions, nodes and failover over HTTP. Every call throws ProblemError for a refusal. */
export interface GeoClient {
  status(): Promise<GeoStatus>;
  regions(): Promise<RegionList>;
  region(regionId: string): Promise<RegionRecord>;
  createRegion(region: NewRegion): Promise<RegionRecord>;
  setRegionStatus(regionId: string, change: z.input<typeof StatusChange>): Promise<RegionRecord>;
  removeRegion(regionId: string, options?: { readonly force?: boolean }): Promise<RegionDeleted>;
  nodes(filters?: NodeFilters): Promise<NodeList>;
  createNode(node: NewNode): Promise<GeoNode>;
  removeNode(nodeId: string): Promise<NodeDeleted>;
  heartbeat(nodeId: string, heartbeat: NodeHeartbeat): Promise<NodeHeartbeatAnswer>;
  /** What a failover would do. */
  planFailover(asked: FailoverAsked): Promise<FailoverPlan>;
  failover(asked: FailoverAsked): Promise<FailoverEntry>;
  history(limit?: number): Promise<FailoverHistory>;
  latencyMatrix(): Promise<LatencyMatrix>;
  activeRegion(): Promise<ActiveRegion>;
  setActiveRegion(change: z.input<typeof ActiveRegionChange>): Promise<ActiveRegion>;
  replicationGroup(regionId: string): Promise<ReplicationGroup>;
  events(query?: { readonly after?: number; readonly limit?: number }): Promise<GeoEventList>;
}

/** A client of the gateway at `base`. */
export function createGeoClient(options: HttpOptions): GeoClient {
  const http = openHttp(options);
  return {
    status: () => bodyOf(callEndpoint(http, geoEndpoints.geoStatus, {})),
    regions: () => bodyOf(callEndpoint(http, geoEndpoints.listRegions, {})),
    region: (id) => bodyOf(callEndpoint(http, geoEndpoints.getRegion, of(id))),
    createRegion: (body) => bodyOf(callEndpoint(http, geoEndpoints.createRegion, { body })),
    setRegionStatus: (id, body) =>
      bodyOf(callEndpoint(http, geoEndpoints.setRegionStatus, { ...of(id), body })),
    removeRegion: (id, { force = false } = {}) =>
      bodyOf(
        callEndpoint(http, geoEndpoints.deleteRegion, { ...of(id), query: { force: `${force}` } }),
      ),
    nodes: (query = {}) =>
      bodyOf(callEndpoint(http, geoEndpoints.listNodes, { query: { ...query } })),
    createNode: (body) => bodyOf(callEndpoint(http, geoEndpoints.createNode, { body })),
    removeNode: (id) => bodyOf(callEndpoint(http, geoEndpoints.deleteNode, ofNode(id))),
    heartbeat: (id, body) =>
      bodyOf(callEndpoint(http, geoEndpoints.heartbeat, { ...ofNode(id), body })),
    planFailover: async (body) => {
      const query = { dry_run: 'true' };
      const answer = await bodyOf(callEndpoint(http, geoEndpoints.failover, { query, body }));
      if ('plan' in answer) return answer.plan;
      throw new TypeError('a failover was executed where only its plan was asked for');
    },
    failover: async (body) => {
      const answer = await bodyOf(callEndpoint(http, geoEndpoints.failover, { body }));
      if ('event' in answer) return answer.event;
      throw new TypeError('a plan was answered where a failover was asked for');
    },
    history: (limit) =>
      bodyOf(callEndpoint(http, geoEndpoints.failoverHistory, { query: { limit } })),
    latencyMatrix: async () => {
      const { latencyMatrix } = geoEndpoints;
      const matrix = await bodyOf(callEndpoint(http, latencyMatrix, {}));
      if (matrix) return matrix;
      throw new TypeError('nothing was answered that was not asked for under an ETag');
    },
    activeRegion: () => bodyOf(callEndpoint(http, geoEndpoints.getActiveRegion, {})),
    setActiveRegion: (body) => bodyOf(callEndpoint(http, geoEndpoints.setActiveRegion, { body })),
    replicationGroup: (id) => bodyOf(callEndpoint(http, geoEndpoints.replicationGroup, of(id))),
    events: (query = {}) =>
      bodyOf(callEndpoint(http, geoEndpoints.geoEvents, { query: { ...query } })),
  };
}

const of = (region_id: string) => ({ params: { region_id } });
const ofNode = (node_id: string) => ({ params: { node_id } });

type EndpointOf = Parameters<typeof callEndpoint>[1];

const bodyOf = async <P extends EndpointOf>(
  answered: Promise<Answered<P>>,
): Promise<Answered<P>['body']> => (await answered).body;
