import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import { Team } from '../contract/team.ts';
import { EventsQuery } from '../contract/event-query.ts';
import * as geoEventSchemas from './contract/event.ts';
import { type GeoEvent, GeoEventList } from './contract/event.ts';
import * as geoFailoverSchemas from './contract/failover.ts';
import {
  FailoverAnswer,
  type FailoverEntry,
  FailoverHistory,
  FailoverHistoryQuery,
  FailoverInput,
  FailoverQuery,
} from './contract/failover.ts';
import * as geoLatencySchemas from './contract/latency.ts';
import { LatencyMatrix, ReplicationGroup } from './contract/latency.ts';
import * as geoNodeSchemas from './contract/node.ts';
import {
  GeoNode,
  NodeDeleted,
  NodeHeartbeat,
  NodeHeartbeatAnswer,
  NodeId,
  NodeInput,
  NodeList,
  NodeQuery,
} from './contract/node.ts';
import * as geoRegionSchemas from './contract/region.ts';
import {
  ActiveRegion,
  ActiveRegionChange,
  GeoStatus,
  RegionDeleted,
  RegionDeletion,
  RegionInput,
  RegionList,
  RegionRecord,
  StatusChange,
} from './contract/region.ts';
import { describe, fromBody } from '../contract/endpoint-docs.ts';
import { RegionId } from './contract/region.ts';

const noQuery = z.strictObject({});
const IF_MATCH = { 'if-match': 'Refuses with 412 unless the record still has this ETag.' };

/** Regions and their nodes, which region is active, and how another takes over. */
export const geoEndpoints = {
  geoStatus: {
    method: 'GET',
    path: '/api/geo/status',
    summary: 'All regions at a glance, and which one is active.',
    access: 'geo:read',
    query: noQuery,
    responses: { 200: GeoStatus },
  },
  listRegions: {
    method: 'GET',
    path: '/api/geo/regions',
    summary: 'All regions, by priority.',
    access: 'geo:read',
    query: noQuery,
    responses: { 200: RegionList },
  },
  createRegion: {
    method: 'POST',
    path: '/api/geo/regions',
    summary: 'Adds a region; it is online until a look at its nodes says otherwise.',
    access: 'geo:admin',
    body: RegionInput,
    responses: { 201: RegionRecord },
    problems: ['already_exists', 'limit_reached'],
  },
  getRegion: {
    method: 'GET',
    path: '/api/geo/regions/:region_id',
    summary: 'One region, with its ETag.',
    access: 'geo:read',
    query: noQuery,
    responses: { 200: RegionRecord },
    problems: ['region_not_found'],
  },
  setRegionStatus: {
    method: 'PUT',
    path: '/api/geo/regions/:region_id/status',
    summary: 'Begins or ends the maintenance of a region.',
    access: 'geo:admin',
    body: StatusChange,
    headers: IF_MATCH,
    responses: { 200: RegionRecord },
    problems: ['region_not_found', 'target_not_online', 'precondition_failed'],
  },
  deleteRegion: {
    method: 'DELETE',
    path: '/api/geo/regions/:region_id',
    summary: 'Removes a region; one with nodes only by force, the active one never.',
    access: 'geo:admin',
    query: RegionDeletion,
    headers: IF_MATCH,
    responses: { 200: RegionDeleted },
    problems: ['region_not_found', 'region_not_empty', 'region_active', 'precondition_failed'],
  },
  listNodes: {
    method: 'GET',
    path: '/api/geo/nodes',
    summary:
      'The nodes of all regions or of one, the latest registered first; those of all teams for operators (geo:admin).',
    access: 'geo:read',
    query: NodeQuery,
    responses: { 200: NodeList },
  },
  createNode: {
    method: 'POST',
    path: '/api/geo/nodes',
    summary: 'Registers a node in a region.',
    access: 'geo:admin',
    body: NodeInput,
    responses: { 201: GeoNode },
    problems: ['region_not_found', 'already_exists', 'limit_reached'],
  },
  deleteNode: {
    method: 'DELETE',
    path: '/api/geo/nodes/:node_id',
    summary: 'Deregisters a node, of the caller or of the team that is named.',
    access: 'geo:admin',
    query: z.strictObject({ team: z.optional(Team) }),
    responses: { 200: NodeDeleted },
    problems: ['node_not_found'],
  },
  heartbeat: {
    method: 'POST',
    path: '/api/geo/nodes/:node_id/heartbeat',
    summary:
      'A sign of life of a node without MQTT, with what it measured. A node that acts under an older epoch is counted as alive and refused.',
    access: 'geo:node',
    body: NodeHeartbeat,
    responses: { 200: NodeHeartbeatAnswer },
    problems: ['node_not_found', 'stale_epoch'],
  },
  failover: {
    method: 'POST',
    path: '/api/geo/failover',
    summary: 'Has another region take over, or says with dry_run=true which one would and why.',
    access: 'geo:admin',
    query: FailoverQuery,
    body: FailoverInput,
    responses: { 200: FailoverAnswer },
    problems: ['region_not_found', 'region_active', 'target_not_online', 'stale_epoch'],
  },
  failoverHistory: {
    method: 'GET',
    path: '/api/geo/failover/history',
    summary: 'The failovers, also those that failed, the latest first.',
    access: 'geo:read',
    query: FailoverHistoryQuery,
    responses: { 200: FailoverHistory },
  },
  latencyMatrix: {
    method: 'GET',
    path: '/api/geo/latency-matrix',
    summary: 'Milliseconds one way between each two regions, estimated or measured.',
    access: 'geo:read',
    query: noQuery,
    responses: { 200: LatencyMatrix, 304: null },
    headers: { 'if-none-match': 'The ETag of a copy at hand; an unchanged matrix answers 304.' },
  },
  getActiveRegion: {
    method: 'GET',
    path: '/api/geo/active-region',
    summary: 'The active region and its epoch, which the ETag names.',
    access: 'geo:read',
    query: noQuery,
    responses: { 200: ActiveRegion },
    problems: ['region_not_found'],
  },
  setActiveRegion: {
    method: 'PUT',
    path: '/api/geo/active-region',
    summary: 'Makes a region the active one: a failover that an operator wants.',
    access: 'geo:admin',
    body: ActiveRegionChange,
    headers: IF_MATCH,
    responses: { 200: ActiveRegion },
    problems: ['region_not_found', 'target_not_online', 'stale_epoch', 'precondition_failed'],
  },
  replicationGroup: {
    method: 'GET',
    path: '/api/geo/replication-group/:region_id',
    summary: 'Which regions keep copies of the models of a region, and how far the copies are.',
    access: 'geo:read',
    query: noQuery,
    responses: { 200: ReplicationGroup },
    problems: ['region_not_found'],
  },
  geoEvents: {
    method: 'GET',
    path: '/api/geo/events',
    summary: 'What happened to regions: a page of events, or a stream of them.',
    access: 'geo:read',
    query: EventsQuery,
    headers: { 'last-event-id': 'The id of the last event that a stream brought.' },
    responses: { 200: GeoEventList },
    also: { 200: ['text/event-stream'] },
  },
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const geoDocs = () => {
  const AT = '2026-11-20T10:00:00.000Z';

  const region: RegionRecord = {
    region_id: 'sa-east-1',
    display_name: 'South America (São Paulo)',
    provider: 'aws',
    location: { lat: -23.55, lon: -46.63 },
    latitude: -23.55,
    longitude: -46.63,
    priority: 6,
    status: 'online',
    status_since: AT,
    status_reason: 'created',
    active: false,
    node_count: 1,
    active_node_count: 1,
    health: {
      checked: true,
      last_check_at: AT,
      consecutive_up: 12,
      consecutive_down: 0,
      p95_ms: 18.5,
    },
    location_hint: 'sam',
    draining_until: null,
    created_at: AT,
    updated_at: AT,
  };

  const active: ActiveRegion = {
    region_id: 'ap-northeast-1',
    epoch: 1,
    since: AT,
    region: { ...region, region_id: 'ap-northeast-1', active: true, priority: 1 },
  };

  const node: GeoNode = {
    team: 'default',
    owner: 'key:3f8k2m9qv0ab',
    node_id: 'node-sp-1',
    region_id: 'sa-east-1',
    endpoint: '203.0.113.7:8002',
    node_type: 'gpu',
    status: 'online',
    probe: 'answered',
    registered_at: AT,
    last_seen: AT,
  };

  const candidate = {
    region_id: 'us-east-1',
    priority: 2,
    latency_ms: 145.019,
    active_nodes: 2,
    status: 'online',
  } as const;

  const excluded = [
    { region_id: 'ap-northeast-1', why: 'it is the region to be left' },
    { region_id: 'us-west-2', why: 'it has no active node to take requests' },
  ];

  const event: FailoverEntry = {
    event_id: '0b6f3c52-7d3e-4f0e-9d0b-5a1f2f9f6f11',
    from_region: 'ap-northeast-1',
    to_region: 'us-east-1',
    timestamp: AT,
    reason: 'no node was heard for 7.4 s',
    triggered_by: 'geo-monitor',
    success: true,
    mode: 'automatic',
    epoch: 2,
    detected_at: AT,
    duration_ms: 12,
    error: null,
    candidates: [candidate],
    excluded,
  };

  const geoEvent: GeoEvent = {
    id: 'evt_01JD3Z0000000000000000000',
    seq: 7,
    type: 'region.status',
    subject: 'ap-northeast-1',
    time: AT,
    data: { region_id: 'ap-northeast-1', from: 'online', to: 'offline', reason: event.reason },
  };

  const params = { region_id: 'sa-east-1' };

  const regionParam = { description: 'The region.', schema: RegionId };
  return describe(geoEndpoints, {
    schemas: [
      geoEventSchemas,
      geoFailoverSchemas,
      geoLatencySchemas,
      geoNodeSchemas,
      geoRegionSchemas,
    ],
    params: {
      'regions/:region_id': regionParam,
      'replication-group/:region_id': regionParam,
      'nodes/:node_id': { description: 'The node.', schema: NodeId },
    },
    operations: {
      geoStatus: {
        query: {},
        responses: {
          200: {
            active_region: 'ap-northeast-1',
            epoch: 1,
            total_regions: 1,
            total_nodes: 2,
            online_regions: 1,
            auto_failover: true,
            monitor: 'ok',
            regions: { 'ap-northeast-1': { status: 'online', node_count: 2, priority: 1 } },
          },
        },
      },
      listRegions: { query: {}, responses: { 200: { regions: [region], total: 1 } } },
      createRegion: {
        body: {
          region_id: 'sa-east-1',
          display_name: 'South America (São Paulo)',
          provider: 'aws',
          location: { lat: -23.55, lon: -46.63 },
          priority: 6,
        },
        responses: { 201: region },
        headers: { 201: ['ETag', 'Location'] },
        links: {
          201: {
            getRegion: { region_id: fromBody('region_id') },
            setRegionStatus: { region_id: fromBody('region_id') },
            replicationGroup: { region_id: fromBody('region_id') },
            deleteRegion: { region_id: fromBody('region_id') },
          },
        },
      },
      getRegion: { params, query: {}, responses: { 200: region }, headers: { 200: ['ETag'] } },
      setRegionStatus: {
        params,
        body: { status: 'maintenance', reason: 'new racks' },
        responses: { 200: { ...region, status: 'maintenance', draining_until: AT } },
        headers: { 200: ['ETag'] },
      },
      deleteRegion: {
        params,
        query: { force: 'true' },
        responses: { 200: { status: 'deleted', region_id: 'sa-east-1' } },
      },
      listNodes: {
        query: { region_id: 'sa-east-1', status: 'online' },
        responses: { 200: { nodes: [node], total: 1, has_more: false, next_cursor: null } },
      },
      createNode: {
        body: {
          node_id: 'node-sp-1',
          region_id: 'sa-east-1',
          endpoint: '203.0.113.7:8002',
          node_type: 'gpu',
        },
        responses: { 201: node },
        links: {
          201: {
            heartbeat: { node_id: fromBody('node_id') },
            deleteNode: { node_id: fromBody('node_id') },
            getRegion: { region_id: fromBody('region_id') },
          },
        },
      },
      deleteNode: {
        params: { node_id: 'node-sp-1' },
        query: {},
        responses: { 200: { status: 'deleted', node_id: 'node-sp-1' } },
      },
      heartbeat: {
        params: { node_id: 'node-sp-1' },
        body: { latency_ms: 12.5, round_trips_ms: { 'us-east-1': 116 } },
        responses: {
          200: {
            node_id: 'node-sp-1',
            region_id: 'sa-east-1',
            status: 'online',
            active_region: 'ap-northeast-1',
            epoch: 1,
          },
        },
      },
      failover: {
        query: { dry_run: 'true' },
        body: {
          from_region: 'ap-northeast-1',
          to_region: 'us-east-1',
          reason: 'drill',
          triggered_by: 'on-call',
        },
        responses: { 200: { status: 'failover_executed', event } },
      },
      failoverHistory: {
        query: { limit: '20' },
        responses: { 200: { history: [event], total: 1, has_more: false } },
      },
      latencyMatrix: {
        query: {},
        responses: {
          200: {
            matrix: {
              'ap-northeast-1': { 'ap-northeast-1': 0, 'us-east-1': 145.019 },
              'us-east-1': { 'ap-northeast-1': 145.019, 'us-east-1': 0 },
            },
            sources: {
              'ap-northeast-1': { 'ap-northeast-1': 'estimated', 'us-east-1': 'estimated' },
              'us-east-1': { 'ap-northeast-1': 'estimated', 'us-east-1': 'estimated' },
            },
          },
          304: null,
        },
        headers: { 200: ['ETag'], 304: ['ETag'] },
      },
      getActiveRegion: { query: {}, responses: { 200: active }, headers: { 200: ['ETag'] } },
      setActiveRegion: {
        body: { region_id: 'ap-northeast-1' },
        responses: { 200: active },
        headers: { 200: ['ETag'] },
      },
      replicationGroup: {
        params: { region_id: 'ap-northeast-1' },
        query: {},
        responses: {
          200: {
            source_region: 'ap-northeast-1',
            replication_targets: ['ap-southeast-1', 'us-west-2'],
            latencies_ms: { 'ap-southeast-1': 31.968, 'us-west-2': 82.4 },
            replicas: [
              {
                region_id: 'ap-southeast-1',
                model_id: 'tiny',
                version: '1.0.0',
                status: 'copying',
                files: 2,
                files_ready: 1,
                bytes: 52_428_800,
                bytes_copied: 8_389_632,
                error: null,
                updated_at: AT,
              },
            ],
          },
        },
      },
      geoEvents: {
        query: { after: '0' },
        responses: { 200: { events: [geoEvent], total: 1, has_more: false } },
      },
    },
  });
};
