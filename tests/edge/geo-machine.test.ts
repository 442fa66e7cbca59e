import { describe, expect, it } from 'vitest';
import { DEFAULT_REGIONS } from '../../edge/geo/contract/known-regions.ts';
import { parseGeoConfig } from '../../edge/geo/contract/config.ts';
import { defaultRegionsOf } from '../../edge/geo/config.ts';
import { type Facts, planFailover } from '../../edge/geo/failover-plan.ts';
import {
  begin,
  noteNodes,
  startMaintenance,
  step,
  stopMaintenance,
} from '../../edge/geo/machine.ts';
import { type GeoState, NO_REGIONS, withRegion } from '../../edge/geo/state.ts';
import { estimateMs, latencyMatrix } from '../../edge/geo/latency.ts';
import {
  afterSilenceOfMonitor,
  type Evidence,
  type Health,
  newHealth,
  observe,
} from '../../edge/geo/region-health.ts';

const probes = (failed: number, fresh = 0): Evidence => ({
  kind: 'probes',
  failed,
  sent: 3,
  fresh,
  nodes: 9,
});
const beats = (active: number, p95Ms: number | null = null): Evidence => ({
  kind: 'heartbeats',
  active,
  known: 3,
  p95Ms,
  baselineMs: 100,
});
const silent = (silentMs: number): Evidence => ({ kind: 'silence', silentMs });

/** The health of a region after observations a second apart. */
function after(found: readonly Evidence[], first: Health = newHealth(0)): Health {
  return found.reduce(
    (health, evidence, i) => observe(health, evidence, first.since + 1000 * (i + 1)),
    first,
  );
}

describe('the status of a region', () => {
  const clean = beats(3);
  it.each<[string, readonly Evidence[], Health['status']]>([
    ['stays online with a bad round between clean ones', [probes(1), clean, probes(0)], 'online'],
    ['is degraded after two rounds with failed probes', [probes(1), probes(2)], 'degraded'],
    ['is degraded below 67 % active nodes for two rounds', [beats(2), beats(2)], 'degraded'],
    [
      'is degraded where answers take over three times as long',
      [beats(3, 301), beats(3, 301)],
      'degraded',
    ],
    ['is not degraded by answers three times as long', [beats(3, 300), beats(3, 300)], 'online'],
    ['is online again after two clean rounds', [beats(2), beats(2), clean, clean], 'online'],
    ['is degraded still after one', [beats(2), beats(2), clean], 'degraded'],
    ['is offline once all probes of a round fail', [probes(3)], 'offline'],
    ['is offline so while fewer than a third of its nodes are heard', [probes(3, 2)], 'offline'],
    ['is not while a third is, but degraded', [probes(3, 3), probes(3, 3)], 'degraded'],
    [
      'is offline after silence that two more looks find',
      [silent(5001), silent(6001), silent(7001)],
      'offline',
    ],
    [
      'is not offline by silence that one look refutes',
      [silent(5001), silent(6001), silent(20), silent(5001)],
      'online',
    ],
    ['is not offline after 5 s exactly', [silent(5000), silent(5000), silent(5000)], 'online'],
  ])('%s', (_, found, status) => {
    expect(after(found).status).toBe(status);
  });

  it('comes back after three clean rounds and a minute without fault, not earlier', () => {
    const offline = after([probes(3)]);
    const at = (s: number) => offline.since + 1000 * s;
    let health = offline;
    for (let s = 2; s < 62; s += 2) health = observe(health, probes(0), at(s));
    expect(health.status).toBe('offline');

    expect(observe(health, probes(0), at(62)).status).toBe('online');
    expect(observe(observe(health, probes(1), at(62)), probes(0), at(64)).status).toBe('offline');
  });

  it('is unknown without a result for 90 s, and the next round decides', () => {
    const seen = after([probes(0)]);

    expect(afterSilenceOfMonitor(seen, 90_999).status).toBe('online');
    const unknown = afterSilenceOfMonitor(seen, 91_000);
    expect(unknown.status).toBe('unknown');
    expect(after([probes(0)], unknown).status).toBe('online');
    expect(after([probes(2)], unknown).status).toBe('degraded');
    expect(after([probes(3)], unknown).status).toBe('offline');
    // Nobody ever looked at it: that is no loss.
    expect(afterSilenceOfMonitor(newHealth(0), 1e9).status).toBe('online');
  });
});

describe('a region whose last node leaves', () => {
  const id = 'us-east-1';
  const one = begin(NO_REGIONS, defaultRegionsOf(parseGeoConfig(undefined), 0), 0);
  const empty = (state: GeoState, now: number) => noteNodes(state, () => false, now);

  it.each<[string, Health]>([
    ['checked', after([probes(0)])],
    ['degraded', after([beats(2), beats(2)])],
    ['offline', after([probes(3)])],
    ['unknown', afterSilenceOfMonitor(after([probes(0)]), 91_000)],
  ])('is online and stays so, where it was %s', (_, health) => {
    const found = { ...one.regions.get(id)!, health };

    const { state } = empty(withRegion(one, found), 100_000);

    const later = step(state, new Map(), 1e9).state.regions.get(id)!;
    expect(later.health).toMatchObject({ status: 'online', reason: 'no nodes', lastCheckAt: null });
    expect(later.revision).toBe(found.revision + 1);
    const again = noteNodes(state, () => true, 100_001).state.regions.get(id)!;
    expect(again.health).toMatchObject({ status: 'online', reason: 'its first node joined' });
  });

  it('stays in maintenance', () => {
    const { state } = startMaintenance(one, one.regions.get(id)!, 'new racks', 0);

    expect(empty(state, 1).changes).toEqual([]);
    const { state: ended } = stopMaintenance(state, state.regions.get(id)!, false, 2);
    expect(ended.regions.get(id)?.health).toMatchObject({ status: 'online', reason: 'no nodes' });
  });
});

describe('the plan of a failover', () => {
  const regions = defaultRegionsOf(parseGeoConfig(undefined), 0);
  const all = begin(NO_REGIONS, regions, 0);
  const factsOf = (active: Readonly<Record<string, number>>): Facts => ({
    latencyMs: (_, to) => (to === 'us-west-2' ? 80 : 120),
    nodesOf: (id) => (id in active ? 2 : 0),
    activeNodesOf: (id) => active[id] ?? 0,
  });
  const from = 'ap-northeast-1';
  const planned = (state: GeoState, facts: Facts) => {
    const result = planFailover(state, { from }, facts);
    if (result.kind === 'planned') return result.plan;
    throw new Error(result.why);
  };
  const withPriority = (state: GeoState, id: string, priority: number): GeoState => {
    const found = state.regions.get(id)!;
    return withRegion(state, { ...found, region: { ...found.region, priority } });
  };

  it('ranks by priority, then latency, then active nodes, then id', () => {
    const equal = ['us-east-1', 'us-west-2', 'eu-west-1', 'ap-southeast-1'].reduce(
      (state, id) => withPriority(state, id, 2),
      all,
    );
    const facts = factsOf({
      [from]: 0,
      'us-east-1': 1,
      'us-west-2': 1,
      'eu-west-1': 2,
      'ap-southeast-1': 1,
    });

    const ranked = planned(equal, facts).ranked_candidates.map(({ region_id }) => region_id);

    expect(ranked).toEqual(['us-west-2', 'eu-west-1', 'ap-southeast-1', 'us-east-1']);
    expect(planned(withPriority(equal, 'us-east-1', 1), facts).target).toBe('us-east-1');
  });

  it('says why each of the others is none', () => {
    const found = all.regions.get('us-west-2')!;
    const { state } = startMaintenance(all, found, 'new racks', 0);
    const offline = { ...state.regions.get('us-east-1')!, health: after([probes(3)]) };

    const plan = planned(withRegion(state, offline), factsOf({ [from]: 0, 'eu-west-1': 1 }));

    expect(plan.target).toBe('eu-west-1');
    expect(plan).toMatchObject({ nodes_affected: 2, latency_delta_ms: 120, epoch: 2 });
    expect(plan.excluded).toEqual([
      { region_id: from, why: 'it is the region to be left' },
      { region_id: 'us-east-1', why: 'it is offline: all 3 probes of a round failed' },
      { region_id: 'us-west-2', why: 'it is maintenance: new racks' },
      { region_id: 'ap-southeast-1', why: 'it has no nodes' },
    ]);
  });

  it('has a region without nodes for a target where it is named, and not else', () => {
    const { target, excluded } = planned(all, factsOf({}));

    expect(target).toBeNull();
    expect(excluded).toContainEqual({ region_id: 'us-east-1', why: 'it has no nodes' });
    const named = planFailover(all, { from, to: 'us-east-1' }, factsOf({}));
    expect(named).toMatchObject({ kind: 'planned', plan: { target: 'us-east-1' } });
  });
});

describe('latencies', () => {
  const [tokyo, virginia, , , singapore] = DEFAULT_REGIONS;

  it('are those that the platform gives', () => {
    expect(estimateMs(tokyo!, singapore!)).toBeCloseTo(32.0, 1);
    expect(estimateMs(tokyo!, virginia!)).toBeCloseTo(145, 0);
  });

  it('are symmetric with zeros on the diagonal, measured where both sides are', () => {
    const measured: Readonly<Record<string, number>> = {
      'us-east-1 eu-west-1': 80,
      'eu-west-1 us-east-1': 84,
      'us-west-2 us-east-1': 60,
    };
    const trips = (one: string, other: string) => measured[`${one} ${other}`];

    const { matrix, sources } = latencyMatrix(DEFAULT_REGIONS, trips);

    for (const { region_id: a } of DEFAULT_REGIONS) {
      expect(matrix[a]?.[a]).toBe(0);
      for (const { region_id: b } of DEFAULT_REGIONS) {
        expect(matrix[a]?.[b]).toBe(matrix[b]?.[a]);
      }
    }
    expect(matrix['us-east-1']?.['eu-west-1']).toBe(41);
    expect(sources['us-east-1']?.['eu-west-1']).toBe('measured');
    expect(sources['us-west-2']?.['us-east-1']).toBe('estimated');
  });
});

describe('the setting GEO_NODE_MANAGER', () => {
  it('has the values of the platform where it says nothing', () => {
    expect(parseGeoConfig(undefined)).toMatchObject({
      enabled: true,
      health_check_interval_seconds: 30,
      auto_failover: true,
      replication_group_size: 2,
    });
    expect(parseGeoConfig('{"auto_failover":false}').auto_failover).toBe(false);
  });

  it.each<[unknown, string]>([
    [
      { health_check_interval_seconds: 0 },
      'GEO_NODE_MANAGER/health_check_interval_seconds: Too small: expected number to be >=1 (got 0)',
    ],
    [
      { default_regions: [{ id: 'Tokyo', priority: 1 }] },
      '/default_regions/0/id: expected a lower-case DNS label (got "Tokyo")',
    ],
    [
      { default_regions: [{ id: 'moon-1', priority: 1 }] },
      '/default_regions/0/location: expected a location, as the id is none of the known regions',
    ],
    [{ replication_group_size: 2.5 }, 'replication_group_size: '],
    [{ state_file: '/etc/passwd' }, 'state_file: expected a relative path (got "/etc/passwd")'],
    [{ autofailover: true }, 'GEO_NODE_MANAGER/autofailover: unknown name'],
    ['{', 'GEO_NODE_MANAGER: expected JSON (got "{")'],
  ])('names what is wrong with %j', (configured, message) => {
    expect(() => parseGeoConfig(configured)).toThrow(message);
  });
});
