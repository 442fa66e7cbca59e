import { describe, expect, it } from 'vitest';
import { keyOf } from '../../engine/random/philox.ts';
import type { ProjectionSpec } from '../../engine/simulator/description.ts';
import { createDraws } from '../../engine/simulator/draws.ts';
import { poissonThresholds } from '../../engine/simulator/stimulate.ts';
import {
  buildSynapses,
  columnsOf,
  expectedSynapses,
  type Ends,
} from '../../engine/simulator/synapses.ts';

const drawing = { seed: keyOf(5), stream: 3, dt: 1 };
const spec = (
  connect: ProjectionSpec['connect'],
  weight: ProjectionSpec['weight'] = 1,
): ProjectionSpec => ({ from: 'a', to: 'b', connect, weight });
const ends = (sources: number, targets: number, isSame = false): Ends => ({
  sources,
  targets,
  isSame,
});

describe('synapses', () => {
  it.each<[ProjectionSpec['connect'], Ends]>([
    [{ kind: 'all' }, ends(7, 5)],
    [{ kind: 'all', self: false }, ends(6, 6, true)],
    [{ kind: 'one' }, ends(9, 9)],
    [{ kind: 'probability', p: 0 }, ends(9, 9)],
    [{ kind: 'probability', p: 1 }, ends(9, 4)],
    [{ kind: 'probability', p: 0.2, self: false }, ends(300, 300, true)],
    [{ kind: 'inDegree', k: 12, self: false }, ends(40, 40, true)],
    [{ kind: 'list', sources: [3, 0, 3], targets: [1, 1, 0] }, ends(4, 2)],
  ])('of %j lie by source with targets that ascend', (connect, sides) => {
    const synapses = buildSynapses(spec(connect), sides, drawing);
    const { rowStart, target } = synapses;

    expect(rowStart).toHaveLength(sides.sources + 1);
    expect(rowStart.at(-1)).toBe(target.length);
    for (let row = 0; row < sides.sources; row++) {
      const own = target.slice(rowStart[row], rowStart[row + 1]);
      expect(own).toEqual(own.toSorted());
      expect('self' in connect && own.includes(row)).toBe(false);
    }
    expect(Math.max(-1, ...target)).toBeLessThan(sides.targets);
    const expected = expectedSynapses(connect, sides);
    // Five standard deviations where chance decides.
    const spread = connect.kind === 'probability' ? 5 * Math.sqrt(expected) + 300 : 0;
    expect(Math.abs(target.length - expected)).toBeLessThanOrEqual(
      'p' in connect && connect.p === 0.2 ? spread : 0,
    );
  });

  it('keep the weights and delays of a list with its pairs', () => {
    const connect = { kind: 'list', sources: [3, 0, 3], targets: [1, 1, 0] } as const;
    const { target, weight, delay, slots } = buildSynapses(
      { ...spec(connect, [10, 20, 30]), delay: [1, 2, 7] },
      ends(4, 2),
      drawing,
    );

    expect([...target]).toEqual([1, 0, 1]);
    expect([...weight]).toEqual([20, 30, 10]);
    expect([...delay!]).toEqual([2, 7, 1]);
    expect(slots).toBe(7);
  });

  it('by target are the same synapses', () => {
    const synapses = buildSynapses(spec({ kind: 'inDegree', k: 9 }), ends(50, 33), drawing);
    const { columnStart, synapseOf, source } = columnsOf(synapses, 33);

    const seen = new Set<number>();
    for (let column = 0; column < 33; column++) {
      expect(columnStart[column + 1]! - columnStart[column]!).toBe(9);
      for (let at = columnStart[column]!; at < columnStart[column + 1]!; at++) {
        const synapse = synapseOf[at]!;
        seen.add(synapse);
        expect(synapses.target[synapse]).toBe(column);
        expect(synapse).toBeGreaterThanOrEqual(synapses.rowStart[source[at]!]!);
        expect(synapse).toBeLessThan(synapses.rowStart[source[at]! + 1]!);
      }
    }
    expect(seen.size).toBe(33 * 9);
  });

  it('are others for another seed, and the same for the same', () => {
    const draw = (seed: number) =>
      buildSynapses(spec({ kind: 'inDegree', k: 9 }, { normal: [0, 1] }), ends(50, 33), {
        ...drawing,
        seed: keyOf(seed),
      });

    expect(draw(5)).toEqual(draw(5));
    expect(draw(5).target).not.toEqual(draw(6).target);
  });
});

describe('draws of the host', () => {
  it('are normal where requested', () => {
    const draws = createDraws(keyOf(9), 0);
    const values = Array.from({ length: 20_000 }, () => draws.normal());

    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
    // Five standard errors.
    expect(Math.abs(mean)).toBeLessThan(5 / Math.sqrt(20_000));
    expect(Math.abs(variance - 1)).toBeLessThan(5 * Math.sqrt(2 / 20_000));
    expect(values.filter((x) => Math.abs(x) > 1.96).length / 20_000).toBeCloseTo(0.05, 2);
  });
});

describe('the thresholds of Poisson events', () => {
  it.each([0, 0.01, 1.5, 20])('give a mean and a variance of %d', (mean) => {
    const thresholds = [...poissonThresholds(mean)].map((word) => word / 2 ** 32);
    const chances = [...thresholds, 1].map((upTo, k) => upTo - (thresholds[k - 1] ?? 0));

    const average = chances.reduce((sum, chance, k) => sum + k * chance, 0);
    const variance = chances.reduce((sum, chance, k) => sum + (k - average) ** 2 * chance, 0);
    expect(average).toBeCloseTo(mean, 5);
    expect(variance).toBeCloseTo(mean, 4);
  });
});
