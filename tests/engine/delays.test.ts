import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import {
  delayedLinear,
  delayFeatures,
  type DelayOptions,
  delaySteps,
  delayTaps,
  filterSteps,
} from '../../engine/ops/delays.ts';
import { activation } from '../../engine/ops/activation.ts';
import { formula } from '../../engine/ops/formula.ts';
import { keep } from '../../engine/ops/keep.ts';
import { lif } from '../../engine/ops/lif.ts';
import { spikeValues } from '../../engine/ops/time-readouts.ts';
import { playedOp, type TracedOp } from './compare-backends.ts';
import { worstGradientError } from './gradient-check.ts';
import { noParameters, reference, triedVariants } from './play.ts';
import { randomSource } from './random.ts';
import './matchers.ts';

/** Central differences with steps of 1e-5 in float64. */
const CLOSE = 1e-7;

type Inputs = Readonly<Record<string, Tensor>>;

/** Positions between 0 and the last tap, away from the kinks of a triangle at whole steps. */
const positionsOf = (graph: Graph, raw: Tensor, most: number) =>
  formula(graph, `${most / 2} + ${most / 2 - 0.1} * tanh(2 * x)`, { x: raw });

const kernels: Record<string, DelayOptions> = {
  'triangles between two steps': { taps: 4 },
  'wide triangles': { taps: 5, kernel: 'triangle', sigma: 2.5 },
  gaussians: { taps: 4, kernel: 'gaussian', sigma: 0.8 },
  'one tap': { taps: 1 },
};

const spiking = (graph: Graph, current: Tensor) =>
  lif(graph, current, { steps: 6, beta: 0.5, threshold: 0.25, surrogate: 'atan' });

describe('gradients equal finite differences', () => {
  it.each(Object.entries(kernels))('for taps of %s', async (_name, options) => {
    const error = await worstGradientError({
      inputs: { raw: [3, 7] },
      trace: (graph, { raw }) =>
        delayTaps(graph, positionsOf(graph, raw, options.taps - 1), options),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it.each(Object.entries(kernels))('for features behind %s', async (_name, options) => {
    const error = await worstGradientError({
      inputs: { x: [6, 3, 5], raw: [5] },
      trace: (graph, { x, raw }) =>
        delayFeatures(graph, x, positionsOf(graph, raw, options.taps - 1), options),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it.each(Object.entries(kernels))('for connections behind %s', async (_name, options) => {
    const error = await worstGradientError({
      inputs: { x: [3, 2, 5], weight: [5, 3], raw: [5, 3], bias: [3], residual: [3, 2, 3] },
      trace(graph, { x, weight, raw, bias, residual }) {
        const positions = positionsOf(graph, raw, options.taps - 1);
        return delayedLinear(graph, x, { weight, positions }, { ...options, bias, residual });
      },
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it.each([0, 1, 4, 5])('for all features %i steps later, past that too', async (delay) => {
    const error = await worstGradientError({
      inputs: { x: [5, 2, 3] },
      trace(graph, { x }) {
        const later = delaySteps(graph, activation(graph, x, 'softplus'), delay);
        return formula(graph, 'later * x', { later, x });
      },
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it('for features that share one position', async () => {
    const error = await worstGradientError({
      inputs: { x: [6, 3, 5], raw: [1] },
      trace: (graph, { x, raw }) =>
        delayFeatures(graph, x, positionsOf(graph, raw, 3), { taps: 4, kernel: 'gaussian' }),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it('for taps of one filter that are learned themselves', async () => {
    const error = await worstGradientError({
      inputs: { x: [6, 3, 5], table: [4, 5] },
      trace: (graph, { x, table }) => filterSteps(graph, x, table),
    });
    expect(error).toBeLessThan(CLOSE);
  });
});

describe('a delay', () => {
  const [steps, rows, width] = [6, 2, 35];
  const data = randomSource(1).floats(steps * rows * width);
  const valueOf = async (trace: (graph: Graph, x: Tensor) => Tensor) => {
    const graph = new Graph('delay', noParameters);
    const kept = keep(graph, 'kept', trace(graph, graph.constant('x', [steps, rows, width], data)));
    const program = graph.build();
    const player = await reference.load(noParameters, [program]);
    player.play(program);
    return player.values(kept);
  };
  const delayed = (values: ArrayLike<number>, delayOf: (column: number) => number) =>
    Array.from({ length: steps * rows * width }, (_, i) => {
      const [t, rest] = [Math.floor(i / (rows * width)), i % (rows * width)];
      const before = t - delayOf(i % width);
      return before < 0 ? 0 : values[before * rows * width + rest]!;
    });
  const positions = (graph: Graph, of: (column: number) => number) =>
    graph.constant(
      'positions',
      [width],
      Float32Array.from({ length: width }, (_, i) => of(i)),
    );

  it('of whole steps moves each feature by its own', async () => {
    const values = await valueOf((graph, x) =>
      delayFeatures(
        graph,
        x,
        positions(graph, (i) => i % 4),
        { taps: 4 },
      ),
    );
    expect(values).toMatchNumbers(
      delayed(data, (i) => i % 4),
      1e-6,
    );
  });

  it('between two steps mixes both in proportion', async () => {
    const values = await valueOf((graph, x) =>
      delayFeatures(
        graph,
        x,
        positions(graph, () => 1.25),
        { taps: 4 },
      ),
    );
    const [early, late] = [delayed(data, () => 1), delayed(data, () => 2)];
    expect(values).toMatchNumbers(
      early.map((value, i) => 0.75 * value + 0.25 * late[i]!),
      1e-6,
    );
  });

  it('beyond the taps is the nearest that there is', async () => {
    const values = await valueOf((graph, x) =>
      delayFeatures(
        graph,
        x,
        positions(graph, (i) => (i % 2 ? 90 : -3)),
        { taps: 3 },
      ),
    );
    expect(values).toMatchNumbers(
      delayed(data, (i) => (i % 2 ? 2 : 0)),
      1e-6,
    );
  });

  it('of spikes is that of their values', async () => {
    const options = { taps: 3, kernel: 'gaussian' } as const;
    const at = (i: number) => (i % 9) / 4;
    const [spikes, values] = await Promise.all([
      valueOf((graph, x) => delayFeatures(graph, spiking(graph, x), positions(graph, at), options)),
      valueOf((graph, x) => {
        const numbers = spikeValues(graph, spiking(graph, x));
        return delayFeatures(graph, numbers, positions(graph, at), options);
      }),
    ]);
    expect([...spikes]).toEqual([...values]);
    expect(spikes.some((value) => value > 0)).toBe(true);
  });

  it.each<[DelayOptions, RegExp]>([
    [{ taps: 0 }, /taps is 0: expected a whole number of at least 1/],
    [{ taps: 2000 }, /taps is 2000: expected at most 1024/],
    [{ taps: 4, sigma: 0.5 }, /sigma is 0.5: expected at least 1 for a triangle/],
    [{ taps: 4, sigma: Number.NaN }, /sigma is NaN: expected a positive number/],
    [{ taps: 4, kernel: 'box' as 'triangle' }, /kernel is "box": expected one of triangle, gauss/],
  ])('refuses %o', (options, message) => {
    const graph = new Graph('delay', noParameters);
    const at = graph.local('positions', 'f32', [3]);
    expect(() => delayTaps(graph, at, options)).toThrow(message);
  });

  it('refuses positions for other features than there are', () => {
    const graph = new Graph('delay', noParameters);
    const x = graph.local('x', 'f32', [2, 3, 4]);
    const at = graph.local('positions', 'f32', [3]);
    expect(() => delayFeatures(graph, x, at, { taps: 2 })).toThrow(
      /expected f32\[4\], got positions/,
    );
  });
});

/** One feature, and more than two words of spikes; numbers and spikes. */
const ops: [string, TracedOp][] = [1, 65].flatMap((width): [string, TracedOp][] => {
  const [first, second] = Object.values(kernels).slice(1, 3) as [DelayOptions, DelayOptions];
  const features = (graph: Graph, x: Tensor, raw: Tensor) =>
    delayFeatures(graph, x, positionsOf(graph, raw, 4), first);
  const connections = (graph: Graph, x: Tensor, { weight, raw }: Inputs) =>
    delayedLinear(graph, x, { weight: weight!, positions: positionsOf(graph, raw!, 3) }, second);
  const axons = { x: [6, 3, width], raw: [width] };
  const synapses = { x: [6, 3, width], weight: [width, 5], raw: [width, 5] };
  return [
    [
      `${width} axons with numbers`,
      { inputs: axons, trace: (g, { x, raw }) => features(g, x!, raw!) },
    ],
    [
      `${width} axons with spikes`,
      { inputs: axons, trace: (g, { x, raw }) => features(g, spiking(g, x!), raw!) },
    ],
    [
      `the synapses of ${width} inputs with numbers`,
      { inputs: synapses, trace: (g, { x, ...rest }) => connections(g, x!, rest) },
    ],
    [
      `the synapses of ${width} inputs with spikes`,
      { inputs: synapses, trace: (g, { x, ...rest }) => connections(g, spiking(g, x!), rest) },
    ],
  ];
});

describe.each(Object.entries(triedVariants))('%s', (_variant, open) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());

  it.each(ops)('agrees with the reference on the delays of %s', async (_name, op) => {
    const [expected, actual] = await Promise.all([playedOp(reference, op), playedOp(backend, op)]);
    for (const [i, [name, values]] of actual.entries()) {
      expect(values, name).toMatchNumbers(expected[i]![1], 2e-5);
    }
  });
});
