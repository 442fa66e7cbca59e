import type { geoEndpoints } from './endpoints.ts';
import type { GeoEvent } from './contract/event.ts';
import type { FailoverEntry } from './contract/failover.ts';
import type { GeoNode } from './contract/node.ts';
import type { ActiveRegion, RegionRecord } from './contract/region.ts';
import type { ExamplesOf } from '../api-description/description.ts';

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

export const geoExamples: ExamplesOf<typeof geoEndpoints> = {
  geoStatus: {
    query: {},
    answers: {
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
  listRegions: { query: {}, answers: { 200: { regions: [region], total: 1 } } },
  createRegion: {
    body: {
      region_id: 'sa-east-1',
      display_name: 'South America (São Paulo)',
      provider: 'aws',
      location: { lat: -23.55, lon: -46.63 },
      priority: 6,
    },
    answers: { 201: region },
    headers: { 201: ['ETag', 'Location'] },
  },
  getRegion: { params, query: {}, answers: { 200: region }, headers: { 200: ['ETag'] } },
  setRegionStatus: {
    params,
    body: { status: 'maintenance', reason: 'new racks' },
    answers: { 200: { ...region, status: 'maintenance', draining_until: AT } },
    headers: { 200: ['ETag'] },
  },
  deleteRegion: {
    params,
    query: { force: 'true' },
    answers: { 200: { status: 'deleted', region_id: 'sa-east-1' } },
  },
  listNodes: {
    query: { region_id: 'sa-east-1', status: 'online' },
    answers: { 200: { nodes: [node], total: 1, has_more: false, next_cursor: null } },
  },
  createNode: {
    body: {
      node_id: 'node-sp-1',
      region_id: 'sa-east-1',
      endpoint: '203.0.113.7:8002',
      node_type: 'gpu',
    },
    answers: { 201: node },
  },
  deleteNode: {
    params: { node_id: 'node-sp-1' },
    query: {},
    answers: { 200: { status: 'deleted', node_id: 'node-sp-1' } },
  },
  heartbeat: {
    params: { node_id: 'node-sp-1' },
    body: { latency_ms: 12.5, round_trips_ms: { 'us-east-1': 116 } },
    answers: {
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
    answers: { 200: { status: 'failover_executed', event } },
  },
  failoverHistory: {
    query: { limit: '20' },
    answers: { 200: { history: [event], total: 1, has_more: false } },
  },
  latencyMatrix: {
    query: {},
    answers: {
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
  getActiveRegion: { query: {}, answers: { 200: active }, headers: { 200: ['ETag'] } },
  setActiveRegion: {
    body: { region_id: 'ap-northeast-1' },
    answers: { 200: active },
    headers: { 200: ['ETag'] },
  },
  replicationGroup: {
    params: { region_id: 'ap-northeast-1' },
    query: {},
    answers: {
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
    answers: { 200: { events: [geoEvent], total: 1, has_more: false } },
  },
};
