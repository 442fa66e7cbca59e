import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, chooseInstance } from '../../edge/gateway/balancer.ts';

const candidate = (id: string, fields: Partial<Candidate> = {}): Candidate => ({
  id,
  weight: 1,
  regionId: null,
  status: 'passing',
  isEjected: false,
  inFlight: 0,
  ...fields,
});

/** A generator of numbers that is the same on every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How often each instance is chosen in so many goes. */
function shares(
  candidates: readonly Candidate[],
  choice: { regionId?: string; tried?: readonly string[] } = {},
  goes = 20_000,
): Record<string, number> {
  const random = randomFrom(1);
  const counts: Record<string, number> = {};
  for (let i = 0; i < goes; i++) {
    const { regionId = null, tried = [] } = choice;
    const id = chooseInstance(candidates, { regionId, tried, random })?.id ?? 'none';
    counts[id] = (counts[id] ?? 0) + 1 / goes;
  }
  return counts;
}

const anyCandidate = fc.record({
  weight: fc.double({ min: 0.01, max: 100, noNaN: true }),
  regionId: fc.constantFrom(null, 'tokyo', 'virginia'),
  status: fc.constantFrom('passing', 'warning', 'critical', 'unknown'),
  isEjected: fc.boolean(),
  inFlight: fc.nat(50),
});
const anyPool = fc
  .array(anyCandidate, { maxLength: 8 })
  .map((pool) => pool.map((fields, i) => candidate(`i${i}`, fields as Partial<Candidate>)));
const anyChoice = fc.record({
  regionId: fc.constantFrom(null, 'tokyo', 'virginia'),
  tried: fc.uniqueArray(fc.constantFrom('i0', 'i1', 'i2'), { maxLength: 2 }),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

const isHealthy = ({ status, isEjected }: Candidate) => status !== 'critical' && !isEjected;

/** Those one of which is to be chosen, whatever the region. */
function allowedOf(pool: readonly Candidate[], tried: readonly string[]): readonly Candidate[] {
  if (pool.every(({ status }) => status === 'critical')) return [];
  const healthy = pool.filter(isHealthy);
  if (tried.length === 0) return healthy.length * 2 < pool.length ? pool : healthy;
  const isFresh = ({ id }: Candidate) => !tried.includes(id);
  return healthy.some(isFresh) ? healthy.filter(isFresh) : pool.filter(isFresh);
}

describe('the choice of an instance', () => {
  it('is a healthy one, unless less than half are or it is the last resort', () => {
    fc.assert(
      fc.property(anyPool, anyChoice, (pool, { random, ...choice }) => {
        const chosen = chooseInstance(pool, { ...choice, random: () => random });
        const allowed = allowedOf(pool, choice.tried).map(({ id }) => id);
        expect(allowed.length > 0 ? allowed : [undefined]).toContain(chosen?.id);
      }),
      { seed: 11, numRuns: 2000 },
    );
  });

  it('stays in the region of the request while half of its instances there are healthy', () => {
    fc.assert(
      fc.property(anyPool, anyChoice, (pool, { regionId, random }) => {
        const near = pool.filter((one) => one.regionId === regionId);
        const healthyNear = near.filter(isHealthy);
        const enough = pool.filter(isHealthy).length * 2 >= pool.length;
        fc.pre(regionId !== null && enough && healthyNear.length > 0);
        fc.pre(healthyNear.length * 2 >= near.length);
        const chosen = chooseInstance(pool, { regionId, tried: [], random: () => random });
        expect(chosen?.regionId).toBe(regionId);
      }),
      { seed: 11, numRuns: 2000 },
    );
  });

  it('is even among equals and follows their weights', () => {
    expect(shares([candidate('a'), candidate('b'), candidate('c')])).toMatchObject({
      a: expect.closeTo(1 / 3, 1),
      b: expect.closeTo(1 / 3, 1),
      c: expect.closeTo(1 / 3, 1),
    });
    const { light = 0, heavy = 0 } = shares([
      candidate('light'),
      candidate('heavy', { weight: 9 }),
    ]);
    expect(heavy / light).toBeGreaterThan(8);
  });

  it('goes to the one with less under way of the two it looks at', () => {
    // Of three, the busiest is only chosen where it meets nobody: never.
    const pool = [candidate('a'), candidate('b', { inFlight: 3 }), candidate('c', { inFlight: 9 })];

    const { a = 0, b = 0, c = 0 } = shares(pool);

    expect([a > b, b > c, c]).toEqual([true, true, 0]);
  });

  it('includes the sick where less than half are well, and the second try does not', () => {
    const pool = [
      candidate('well'),
      candidate('ejected', { isEjected: true }),
      candidate('critical', { status: 'critical' }),
    ];

    expect(Object.keys(shares(pool)).toSorted()).toEqual(['critical', 'ejected', 'well']);
    expect(shares(pool, { tried: ['critical'] })).toEqual({ well: expect.closeTo(1) });
  });

  it('is none where every one is critical, or there is none', () => {
    expect(shares([candidate('a', { status: 'critical' })], {}, 1)).toEqual({ none: 1 });
    expect(shares([], {}, 1)).toEqual({ none: 1 });
    expect(shares([candidate('a')], { tried: ['a'] }, 1)).toEqual({ none: 1 });
  });

  it('leaves the region where most of its instances are sick', () => {
    const pool = [
      candidate('near', { regionId: 'tokyo' }),
      candidate('sick', { regionId: 'tokyo', status: 'critical' }),
      candidate('sicker', { regionId: 'tokyo', isEjected: true }),
      candidate('far', { regionId: 'virginia' }),
      candidate('farther', { regionId: 'virginia' }),
    ];

    expect(Object.keys(shares(pool, { regionId: 'tokyo' })).toSorted()).toEqual([
      'far',
      'farther',
      'near',
    ]);
    expect(shares(pool.slice(0, 4), { regionId: 'virginia' })).toEqual({ far: expect.closeTo(1) });
  });
});
