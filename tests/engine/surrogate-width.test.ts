import { describe, expect, it } from 'vitest';
import { wideRecurrentLif } from '../../engine/layers/surrogate-width.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters, type ParameterSpec } from '../../engine/graph/parameters.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { differentiate } from '../../engine/ops/gradients.ts';
import { keep } from '../../engine/ops/keep.ts';
import { recurrentLif as narrowRecurrentLif } from '../../engine/ops/recurrent-lif.ts';
import {
  crossEntropy,
  fit,
  init,
  type Layer,
  lif,
  linear,
  neuron,
  plif,
  recurrentLif,
  sequential,
  sgd,
  squaredError,
} from '../../library/index.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

const [steps, rows, width] = [7, 3, 5];
const spec = (name: string, shape: readonly number[]): ParameterSpec => ({
  name,
  shape,
  initial: { kind: 'constant', value: 0 },
  decayed: false,
});
const layout = layOutParameters([
  spec('current', [steps, rows, width]),
  spec('weight', [width, width]),
  spec('bias', [width]),
]);
const common = { steps, beta: 0.8, threshold: 0.6, surrogate: 'sigmoid' } as const;

/** Spikes of neurons, and the gradient of a weighted sum of them. */
async function gradientOf(fire: (graph: Graph) => Tensor) {
  const graph = new Graph('width', layout);
  const spikes = fire(graph);
  const kept = keep(graph, 'spikes', spikes);
  const seed = graph.local('seed', 'f32', spikes.shape);
  differentiate(graph, spikes, seed);
  const program = graph.build();
  const player = await reference.load(layout, [program]);
  const from = randomSource(4);
  player.write(layout.values, from.floats(layout.blockBytes / 4, -0.4, 1));
  player.write(seed, from.floats(steps * rows * width));
  player.play(program);
  const read = { spikes: await player.read(kept), gradient: await player.read(layout.gradients) };
  player.close();
  return read;
}

const close = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);

describe('neurons with a surrogate of another width', () => {
  it('are those of recurrentLif where it is 1', async () => {
    const operands = (graph: Graph) =>
      [graph, graph.parameter('current'), graph.parameter('weight')] as const;
    const narrow = await gradientOf((graph) =>
      narrowRecurrentLif(...operands(graph), { ...common, bias: graph.parameter('bias') }),
    );
    const wide = await gradientOf((graph) =>
      wideRecurrentLif(...operands(graph), {
        ...common,
        surrogateWidth: 1,
        bias: graph.parameter('bias'),
      }),
    );

    expect(wide.spikes).toEqual(narrow.spikes);
    expect(close(wide.gradient, narrow.gradient)).toBeLessThan(1e-12);
  });
});

describe('the width of a surrogate as an option', () => {
  /** Weights behind a layer of neurons after a step. */
  async function learned(neurons: Layer) {
    const network = sequential([linear(6, { name: 'in' }), neurons, linear(2)], {
      input: 3,
      steps,
    });
    const model = await init(network, { device: reference, seed: 2 });
    const from = randomSource(5);
    const data = { x: from.floats(8 * 3, -2, 2), y: from.floats(8 * 2) };
    await fit(model, data, {
      loss: squaredError({ on: 'values' }),
      optimizer: sgd(0.5),
      batchSize: 8,
    });
    return model.parameter('in.weight').slice();
  }

  const text = `state u = 0, s = 0
    u = 0.8 * u + I - detach(s)
    s = spike(u - 1)`;
  const resetToZero = `state u = 0, s = 0
    u = 0.8 * (s > 0 ? 0 : u) + I
    s = spike(u - 1)`;
  const narrow = { beta: 0.8, surrogate: 'sigmoid' } as const;

  it.each([
    ['lif', lif, text],
    ['lif with reset to zero', (more: object) => lif({ ...more, reset: 'zero' }), resetToZero],
    ['recurrentLif', (more: object) => recurrentLif({ ...more, bias: false }), text],
  ])('of %s is that of neurons from equations', async (name, make, equations) => {
    const recurrent = name === 'recurrentLif';
    const wide = { surrogate: 'sigmoid', surrogateWidth: 3, recurrent } as const;
    const wanted = await learned(neuron(equations, wide));

    expect(close(await learned(make({ ...narrow, surrogateWidth: 3 })), wanted)).toBeLessThan(1e-6);
    const others = [
      await learned(make({ ...narrow, surrogateWidth: 2 })),
      await learned(make(narrow)),
    ];
    for (const other of others) expect(close(other, wanted)).toBeGreaterThan(1e-4);
  });

  it('is kept in segments of time, with an average beside', async () => {
    const from = randomSource(6);
    const data = { x: from.floats(8 * 12 * 3, -1, 2), y: from.integers(8, 2) };
    const trained = async (segments: number) => {
      const layers = [linear(6), lif({ surrogateWidth: 2 }), linear(2), lif({ surrogateWidth: 3 })];
      const model = await init(sequential(layers, { input: 3, steps: 12 }), { device: reference });
      const options = { loss: crossEntropy(), optimizer: sgd(0.5), batchSize: 4, epochs: 3 };
      await fit(model, data, { ...options, segments, average: { decay: 0.5 }, validation: data });
      return model.values;
    };

    const [whole, parts] = [await trained(1), await trained(4)];

    expect(close(parts, whole)).toBeLessThan(1e-6);
  });

  it.each([lif, recurrentLif, plif])('is refused where it is none', (make) => {
    expect(() => make({ surrogateWidth: 0 })).toThrow(
      /surrogateWidth is 0: expected a finite number above 0/,
    );
  });
});
