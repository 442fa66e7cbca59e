import * as z from 'zod/mini';
import { type Endpoints, get, post, put, del } from '../contract/endpoint.ts';
import { Team } from '../contract/team.ts';
import { EventsQuery } from '../contract/event-query.ts';
import * as geoEventSchemas from './contract/event.ts';
import { type GeoEvent, GeoEventList } from './contract/event.ts';
import * as geoFailoverSchemas from './contract/failover.ts';
import * as geoLatencySchemas from './contract/latency.ts';
import { LatencyMatrix, ReplicationGroup } from './contract/latency.ts';
import * as geoNodeSchemas from './contract/node.ts';
import * as geoRegionSchemas from './contract/region.ts';
import { describe, fromBody, linksTo } from '../contract/endpoint-docs.ts';
import { RegionId } from './contract/region.ts';

const IF_MATCH = { 'if-match': 'Refuses with 412 unless the record still has this ETag.' };

/** Regions and their nodes, which region is active, and how another takes over. */
export const geoEndpoints = {
  geoStatus: get('/api/geo/status', 'geo:read', {
    summary: 'All regions at a glance, and which one is active.',
    responses: { 200: geoRegionSchemas.GeoStatus },
  }),
  listRegions: get('/api/geo/regions', 'geo:read', {
    summary: 'All regions, by priority.',
    responses: { 200: geoRegionSchemas.RegionList },
  }),
  createRegion: post('/api/geo/regions', 'geo:admin', {
    summary: 'Adds a region; it is online until a look at its nodes says otherwise.',
    body: geoRegionSchemas.RegionInput,
    responses: { 201: geoRegionSchemas.RegionRecord },
    problems: ['already_exists', 'limit_reached'],
  }),
  getRegion: get('/api/geo/regions/:region_id', 'geo:read', {
    summary: 'One region, with its ETag.',
    responses: { 200: geoRegionSchemas.RegionRecord },
    problems: ['region_not_found'],
  }),
  setRegionStatus: put('/api/geo/regions/:region_id/status', 'geo:admin', {
    summary: 'Begins or ends the maintenance of a region.',
    body: geoRegionSchemas.StatusChange,
    headers: IF_MATCH,
    responses: { 200: geoRegionSchemas.RegionRecord },
    problems: ['region_not_found', 'target_not_online', 'precondition_failed'],
  }),
  deleteRegion: del('/api/geo/regions/:region_id', 'geo:admin', {
    summary: 'Removes a region; one with nodes only by force, the active one never.',
    query: geoRegionSchemas.RegionDeletion,
    headers: IF_MATCH,
    responses: { 200: geoRegionSchemas.RegionDeleted },
    problems: ['region_not_found', 'region_not_empty', 'region_active', 'precondition_failed'],
  }),
  listNodes: get('/api/geo/nodes', 'geo:read', {
    summary:
      'The nodes of all regions or of one, the latest registered first; those of all teams for operators (geo:admin).',
    query: geoNodeSchemas.NodeQuery,
    responses: { 200: geoNodeSchemas.NodeList },
  }),
  createNode: post('/api/geo/nodes', 'geo:admin', {
    summary: 'Registers a node in a region.',
    body: geoNodeSchemas.NodeInput,
    responses: { 201: geoNodeSchemas.GeoNode },
    problems: ['region_not_found', 'already_exists', 'limit_reached'],
  }),
  deleteNode: del('/api/geo/nodes/:node_id', 'geo:admin', {
    summary: 'Deregisters a node, of the caller or of the team that is named.',
    query: z.strictObject({ team: z.optional(Team) }),
    responses: { 200: geoNodeSchemas.NodeDeleted },
    problems: ['node_not_found'],
  }),
  heartbeat: post('/api/geo/nodes/:node_id/heartbeat', 'geo:node', {
    summary:
      'A sign of life of a node without MQTT, with what it measured. A node that acts under an older epoch is counted as alive and refused.',
    body: geoNodeSchemas.NodeHeartbeat,
    responses: { 200: geoNodeSchemas.NodeHeartbeatAnswer },
    problems: ['node_not_found', 'stale_epoch'],
  }),
  failover: post('/api/geo/failover', 'geo:admin', {
    summary: 'Has another region take over, or says with dry_run=true which one would and why.',
    query: geoFailoverSchemas.FailoverQuery,
    body: geoFailoverSchemas.FailoverInput,
    responses: { 200: geoFailoverSchemas.FailoverAnswer },
    problems: ['region_not_found', 'region_active', 'target_not_online', 'stale_epoch'],
  }),
  failoverHistory: get('/api/geo/failover/history', 'geo:read', {
    summary: 'The failovers, also those that failed, the latest first.',
    query: geoFailoverSchemas.FailoverHistoryQuery,
    responses: { 200: geoFailoverSchemas.FailoverHistory },
  }),
  latencyMatrix: get('/api/geo/latency-matrix', 'geo:read', {
    summary: 'Milliseconds one way between each two regions, estimated or measured.',
    responses: { 200: LatencyMatrix, 304: null },
    headers: { 'if-none-match': 'The ETag of a copy at hand; an unchanged matrix answers 304.' },
  }),
  getActiveRegion: get('/api/geo/active-region', 'geo:read', {
    summary: 'The active region and its epoch, which the ETag names.',
    responses: { 200: geoRegionSchemas.ActiveRegion },
    problems: ['region_not_found'],
  }),
  setActiveRegion: put('/api/geo/active-region', 'geo:admin', {
    summary: 'Makes a region the active one: a failover that an operator wants.',
    body: geoRegionSchemas.ActiveRegionChange,
    headers: IF_MATCH,
    responses: { 200: geoRegionSchemas.ActiveRegion },
    problems: ['region_not_found', 'target_not_online', 'stale_epoch', 'precondition_failed'],
  }),
  replicationGroup: get('/api/geo/replication-group/:region_id', 'geo:read', {
    summary: 'Which regions keep copies of the models of a region, and how far the copies are.',
    responses: { 200: ReplicationGroup },
    problems: ['region_not_found'],
  }),
  geoEvents: get('/api/geo/events', 'geo:read', {
    summary: 'What happened to regions: a page of events, or a stream of them.',
    query: EventsQuery,
    headers: { 'last-event-id': 'The id of the last event that a stream brought.' },
    responses: { 200: GeoEventList },
    also: { 200: ['text/event-stream'] },
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const geoDocs = () => {
  const AT = '2026-11-20T10:00:00.000Z';

  const region: geoRegionSchemas.RegionRecord = {
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

  const active: geoRegionSchemas.ActiveRegion = {
    region_id: 'ap-northeast-1',
    epoch: 1,
    since: AT,
    region: { ...region, region_id: 'ap-northeast-1', active: true, priority: 1 },
  };

  const node: geoNodeSchemas.GeoNode = {
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

  const event: geoFailoverSchemas.FailoverEntry = {
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
  const ofRegion = { region_id: fromBody('region_id') };
  const ofNode = { node_id: fromBody('node_id') };
  const regionLinks = {
    ...linksTo(ofRegion, 'getRegion', 'setRegionStatus'),
    ...linksTo(ofRegion, 'replicationGroup', 'deleteRegion'),
  };
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
      'nodes/:node_id': { description: 'The node.', schema: geoNodeSchemas.NodeId },
    },
    operations: {
      geoStatus: {
        answer: {
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
      listRegions: { answer: { regions: [region], total: 1 } },
      createRegion: {
        body: {
          region_id: 'sa-east-1',
          display_name: 'South America (São Paulo)',
          provider: 'aws',
          location: { lat: -23.55, lon: -46.63 },
          priority: 6,
        },
        answer: region,
        headers: { 201: ['ETag', 'Location'] },
        links: { 201: regionLinks },
      },
      getRegion: { params, answer: region, headers: { 200: ['ETag'] } },
      setRegionStatus: {
        params,
        body: { status: 'maintenance', reason: 'new racks' },
        answer: { ...region, status: 'maintenance', draining_until: AT },
        headers: { 200: ['ETag'] },
      },
      deleteRegion: {
        params,
        query: { force: 'true' },
        answer: { status: 'deleted', region_id: 'sa-east-1' },
      },
      listNodes: {
        query: { region_id: 'sa-east-1', status: 'online' },
        answer: { nodes: [node], total: 1, has_more: false, next_cursor: null },
      },
      createNode: {
        body: {
          node_id: 'node-sp-1',
          region_id: 'sa-east-1',
          endpoint: '203.0.113.7:8002',
          node_type: 'gpu',
        },
        answer: node,
        links: { 201: { ...linksTo(ofNode, 'heartbeat', 'deleteNode'), getRegion: ofRegion } },
      },
      deleteNode: {
        params: { node_id: 'node-sp-1' },
        answer: { status: 'deleted', node_id: 'node-sp-1' },
      },
      heartbeat: {
        params: { node_id: 'node-sp-1' },
        body: { latency_ms: 12.5, round_trips_ms: { 'us-east-1': 116 } },
        answer: {
          node_id: 'node-sp-1',
          region_id: 'sa-east-1',
          status: 'online',
          active_region: 'ap-northeast-1',
          epoch: 1,
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
        answer: { status: 'failover_executed', event },
      },
      failoverHistory: {
        query: { limit: '20' },
        answer: { history: [event], total: 1, has_more: false },
      },
      latencyMatrix: {
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
      getActiveRegion: { answer: active, headers: { 200: ['ETag'] } },
      setActiveRegion: {
        body: { region_id: 'ap-northeast-1' },
        answer: active,
        headers: { 200: ['ETag'] },
      },
      replicationGroup: {
        params: { region_id: 'ap-northeast-1' },
        answer: {
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
      geoEvents: {
        query: { after: '0' },
        answer: { events: [geoEvent], total: 1, has_more: false },
      },
    },
  });
};
