import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DEFAULT_REGIONS,
  distanceKm,
  nearestRegion,
} from '../../edge/geo/contract/known-regions.ts';
import { type Edge, postJson, startEdge } from './harness.ts';
import { startUpstream, type Upstream } from './upstream.ts';

const regionAt = (id: string) => DEFAULT_REGIONS.find(({ region_id }) => region_id === id)!;

describe('the distance between two places', () => {
  it.each([
    ['ap-northeast-1', 'us-east-1', 10_900],
    ['ap-northeast-1', 'ap-southeast-1', 5_310],
    ['us-east-1', 'eu-west-1', 5_450],
  ])('from %s to %s is what the map says', (a, b, km) => {
    expect(Math.abs(distanceKm(regionAt(a), regionAt(b)) - km)).toBeLessThan(50);
  });

  it('is the same both ways, 0 to itself, and never more than half around the earth', () => {
    const place = fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(place, place, (a, b) => {
        expect(distanceKm(a, b)).toBeCloseTo(distanceKm(b, a), 6);
        expect(distanceKm(a, a)).toBe(0);
        expect(distanceKm(a, b)).toBeLessThanOrEqual(Math.PI * 6371 + 1e-6);
      }),
    );
    const opposite = { latitude: -35.68, longitude: 139.69 - 180 };
    expect(distanceKm(regionAt('ap-northeast-1'), opposite)).toBeCloseTo(Math.PI * 6371, 3);
  });

  it('finds the nearest region, across the date line too', () => {
    const honolulu = { latitude: 21.3, longitude: -157.86 };
    expect(nearestRegion(honolulu, DEFAULT_REGIONS)?.region_id).toBe('us-west-2');
    const kamchatka = { latitude: 53, longitude: 158.65 };
    expect(nearestRegion(kamchatka, DEFAULT_REGIONS)?.region_id).toBe('ap-northeast-1');
    expect(nearestRegion(kamchatka, [])).toBeUndefined();
  });
});

describe('a forwarded request', () => {
  let edge: Edge;
  const upstreams: Upstream[] = [];
  beforeAll(async () => {
    const vars = { TARGET_ALLOWLIST: ['127.0.0.0/8'] };
    edge = await startEdge({ vars, isBehindNetwork: true });
    const instances = [];
    for (const region_id of ['ap-northeast-1', 'us-east-1', 'eu-west-1', 'own-cellar']) {
      const upstream = await startUpstream((_, answer) => answer.end(region_id));
      upstreams.push(upstream);
      instances.push({ id: region_id, url: upstream.url, region_id });
    }
    const answer = await postJson(new URL('/services/register', edge.gateway), {
      name: 'spread',
      instances,
    });
    expect(answer.status).toBe(201);
  });
  afterAll(async () => {
    await edge[Symbol.asyncDispose]();
    for (const upstream of upstreams) await upstream[Symbol.asyncDispose]();
  });

  /** Where twelve requests go; what Cloudflare would know of them, workerd takes from a header. */
  async function servedBy(cf: object, headers: Readonly<Record<string, string>> = {}) {
    const served = new Set<string>();
    for (let i = 0; i < 12; i++) {
      const answer = await fetch(new URL('/spread/x', edge.gateway), {
        headers: { 'mf-cf-blob': JSON.stringify(cf), ...headers },
      });
      served.add(await answer.text());
    }
    return [...served];
  }

  it.each([
    ['Osaka', { latitude: '34.69', longitude: '135.50', continent: 'NA' }, 'ap-northeast-1'],
    ['Toronto', { latitude: '43.65', longitude: '-79.38' }, 'us-east-1'],
    ['somewhere in Europe', { continent: 'EU', country: 'PL' }, 'eu-west-1'],
  ])('from %s goes to the nearest region', async (_, cf, regionId) => {
    expect(await servedBy(cf)).toEqual([regionId]);
  });

  it('goes to the region its caller names, wherever he is', async () => {
    const tokyo = { latitude: '35.68', longitude: '139.69' };

    expect(await servedBy(tokyo, { 'x-spikegrid-region': 'own-cellar' })).toEqual(['own-cellar']);
  });

  it.each([
    ['nobody knows where', {}],
    ['Tor', { continent: 'T1', latitude: '', longitude: 'x' }],
    ['a region without instances', { latitude: '1.35', longitude: '103.82' }],
  ])('from %s goes to any', async (_, cf) => {
    expect((await servedBy(cf)).length).toBeGreaterThan(1);
  });
});
