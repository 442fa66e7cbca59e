import { describe, expect, it } from 'vitest';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { adamW } from '../../engine/ops/adamw.ts';
import { linear } from '../../engine/ops/linear.ts';
import { clockInput, packClock, packRates, ratesInput } from '../../engine/ops/step-inputs.ts';
import { reference } from './play.ts';

const [BETA1, BETA2, EPSILON] = [0.9, 0.95, 1e-8];

/** A layout of a decayed and an undecayed parameter whose gradients are the constants below. */
async function optimiser() {
  const initial = { kind: 'constant', value: 0 } as const;
  const layout = layOutParameters([
    { name: 'matrix', shape: [1, 3], initial, decayed: true },
    { name: 'vector', shape: [3], initial, decayed: false },
  ]);
  const graph = new Graph('adamw', layout);
  const clock = clockInput(graph);
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [8]);
  // loss = sum(seed * (1 * matrix + vector)): both gradients equal the seed.
  const one = graph.constant('one', [1, 1, 1], Float32Array.of(1));
  const output = linear(graph, one, graph.parameter('matrix'), { bias: graph.parameter('vector') });
  const seed = graph.local('seed', 'f32', [1, 1, 3]);
  differentiate(graph, output, seed);
  adamW(graph, { beta1: BETA1, beta2: BETA2, epsilon: EPSILON }, { clock, rates, norms });
  const program = graph.build();
  const player = await reference.load(layout, [program]);
  player.write(layout.get('matrix').value, Float32Array.of(1, -2, 3));
  player.write(layout.get('vector').value, Float32Array.of(1, -2, 3));
  const step = (t: number, gradient: readonly number[], limit: number) => {
    player.write(seed, Float32Array.from(gradient));
    player.write(clock, packClock({ step: t, slot: t, seed: [0, 0] }));
    player.write(
      rates,
      packRates({
        learningRate: 0.25,
        weightDecay: 0.5,
        clipNorm: limit,
        corrections: [1 - BETA1 ** (t + 1), 1 - BETA2 ** (t + 1)],
      }),
    );
    player.play(program);
  };
  const read = (name: string) => [...player.values(layout.get(name).value)];
  return { step, read, norms: () => [...player.values(norms)] };
}

describe('AdamW', () => {
  it('takes the published steps, with decay on matrices only', async () => {
    const { step, read } = await optimiser();
    const gradients = [
      [0.5, -0.25, 0.125],
      [-1, 0.5, 0.25],
      [0.25, 0.25, -2],
    ];
    const expected = { matrix: [1, -2, 3], vector: [1, -2, 3] };
    const m = [0, 0, 0];
    const v = [0, 0, 0];
    for (const [t, gradient] of gradients.entries()) {
      step(t, gradient, 1e6);
      for (const [i, g] of gradient.entries()) {
        m[i] = BETA1 * m[i]! + (1 - BETA1) * g;
        v[i] = BETA2 * v[i]! + (1 - BETA2) * g * g;
        const mean = m[i]! / (1 - BETA1 ** (t + 1));
        const spread = Math.sqrt(v[i]! / (1 - BETA2 ** (t + 1)));
        expected.matrix[i]! -= 0.25 * 0.5 * expected.matrix[i]!;
        expected.matrix[i]! -= (0.25 * mean) / (spread + EPSILON);
        expected.vector[i]! -= (0.25 * mean) / (spread + EPSILON);
      }
    }

    for (const name of ['matrix', 'vector'] as const) {
      for (const [i, value] of read(name).entries()) {
        expect(value, name).toBeCloseTo(expected[name][i]!, 6);
      }
    }
  });

  it('clips the gradient of all parameters together to the largest norm', async () => {
    const { step, read, norms } = await optimiser();
    const clipped = await optimiser();
    // The gradient counts twice, for matrix and vector: the norm is sqrt(2 * 8) = 4, the limit 1.
    step(0, [2, 2, 0], 1);
    step(1, [2, -2, 0], 1);
    clipped.step(0, [0.5, 0.5, 0], 1e6);
    clipped.step(1, [0.5, -0.5, 0], 1e6);

    expect(norms()[0]).toBeCloseTo(4, 6);
    expect(norms()[1]).toBeCloseTo(4, 6);
    for (const [i, value] of read('vector').entries()) {
      expect(value).toBeCloseTo(clipped.read('vector')[i]!, 5);
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])(
    'changes nothing when a gradient is %d, and goes on afterwards',
    async (bad) => {
      const { step, read, norms } = await optimiser();
      const untouched = await optimiser();
      step(0, [0.5, 0.5, 0.5], 1);
      untouched.step(0, [0.5, 0.5, 0.5], 1);
      step(1, [bad, 1, 1], 1);
      expect(read('matrix')).toEqual(untouched.read('matrix'));
      expect(norms()[1]).not.toBeLessThan(Number.POSITIVE_INFINITY);

      step(2, [0.1, 0.2, 0.3], 1);
      untouched.step(2, [0.1, 0.2, 0.3], 1);
      expect(read('vector')).toEqual(untouched.read('vector'));
    },
  );
});
