import type { Surrogate } from '../../engine/kernels/neurons.ts';
import { describe, expect, it } from 'vitest';
import { surrogates } from '../../engine/backends/reference/neuron-kernels.ts';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { izhikevichPresets } from '../../engine/neurons/izhikevich-presets.ts';
import { alif } from '../../engine/ops/alif.ts';
import { evoLif } from '../../engine/ops/evo-lif.ts';
import { evoLifStart } from '../../engine/ops/learned-start.ts';
import { izhikevich } from '../../engine/ops/izhikevich.ts';
import { lif } from '../../engine/ops/lif.ts';
import type { LayerOptions } from '../../engine/ops/neuron-layer.ts';
import { relaxedLif } from '../../engine/ops/relaxed-lif.ts';
import { noParameters, reference } from './play.ts';
import { randomSource } from './random.ts';
import { smoothSpike, worstDifference } from './smooth-spikes.ts';

/*
 * The neurons are written down here once more, with two kinds of spikes: those that reset a neuron stay
 * where they were, those that leave it (and raise an adaptation) move with the surrogate's integral.
 */
interface Written {
  /** The state before the first step. */
  readonly rest: readonly number[];
  /** The next state, and how far it is above the threshold. */
  step(
    state: readonly number[],
    input: { readonly current: number; readonly reset: number; readonly felt: number },
  ): { state: readonly number[]; excess: number };
}

interface Example {
  readonly inputs: Readonly<Record<string, readonly [low: number, high: number]>>;
  trace(graph: Graph, inputs: Record<string, Tensor>, options: LayerOptions): Tensor;
  /** Neuron `n` for the inputs beside the current. */
  written(own: (name: string) => number): Written;
}

const RS = izhikevichPresets.RS;
const SPAN = 40;

function writtenIzhikevich(halves: number): Written {
  return {
    rest: [-65, RS.b * -65],
    step([v = 0, u = 0], { current, reset }) {
      const from = reset ? RS.c : v;
      const recovery = u + RS.d * reset;
      let next = from;
      for (let k = 0; k < halves; k++) {
        next += (0.04 * next ** 2 + 5 * next + 140 - recovery + current) / halves;
      }
      const felt = halves === 2 ? next : from;
      const state = [next, recovery + RS.a * (RS.b * felt - recovery)];
      return { state, excess: (next - 30) / SPAN };
    },
  };
}

const current = [-0.4, 1.6] as const;
const examples: Record<string, Example> = {
  'LIF with reset to zero': {
    inputs: { current },
    trace: (graph, inputs, options) =>
      lif(graph, inputs['current']!, { ...options, beta: 0.8, threshold: 1, reset: 'zero' }),
    written: () => ({
      rest: [0],
      step([u = 0], input) {
        const next = 0.8 * (1 - input.reset) * u + input.current;
        return { state: [next], excess: next - 1 };
      },
    }),
  },
  EvoLIF: {
    inputs: { current, a: [1, 3], b: [0, 1] },
    trace: (graph, { current: drive, a, b }, options) =>
      evoLif(graph, drive!, { a: a!, b: b! }, options),
    written: (own) => ({
      rest: [0],
      step([u = 0], input) {
        const theta = Math.log(1 + Math.exp(own('b')));
        const next = u / (1 + Math.exp(-own('a'))) + input.current - input.reset * theta;
        return { state: [next], excess: next - theta };
      },
    }),
  },
  ALIF: {
    inputs: { current },
    trace: (graph, inputs, options) =>
      alif(graph, inputs['current']!, {
        ...options,
        ...{ decay: 0.8, threshold: 0.6, adaptationDecay: 0.9, adaptationGain: 0.3 },
      }),
    written: () => ({
      rest: [0, 0],
      step([v = 0, a = 0], input) {
        const next = 0.8 * v + input.current - 0.6 * input.reset;
        const raised = 0.9 * a + input.felt;
        return { state: [next, raised], excess: next - 0.6 - 0.3 * raised };
      },
    }),
  },
  'Izhikevich, Euler': {
    inputs: { current: [-20, 120] },
    trace: (graph, inputs, options) =>
      izhikevich(graph, inputs['current']!, { ...RS, ...options, numerics: 'euler', span: SPAN }),
    written: () => writtenIzhikevich(1),
  },
  'Izhikevich, published': {
    inputs: { current: [-20, 120] },
    trace: (graph, inputs, options) =>
      izhikevich(graph, inputs['current']!, {
        ...RS,
        ...options,
        ...{ numerics: 'published', span: SPAN },
      }),
    written: () => writtenIzhikevich(2),
  },
};

const ROWS = 2;
const WIDTH = 5;
const NEURONS = ROWS * WIDTH;

/** The gradients of all inputs as traced, and the worst difference from those of the smooth function. */
async function compare(example: Example, surrogate: Surrogate, [steps, held]: [number, boolean]) {
  const currentSteps = held ? 1 : steps;
  const shapeOf = (name: string) => (name === 'current' ? [currentSteps, ROWS, WIDTH] : [WIDTH]);
  const layout = layOutParameters(
    Object.keys(example.inputs).map((name) => ({
      name,
      shape: shapeOf(name),
      initial: { kind: 'constant', value: 0 } as const,
      decayed: false,
    })),
  );
  const graph = new Graph('neurons', layout);
  const seed = graph.local('weights', 'f32', [steps, ROWS, WIDTH]);
  const inputs = Object.fromEntries(
    Object.keys(example.inputs).map((name) => [name, graph.parameter(name)]),
  );
  differentiate(graph, example.trace(graph, inputs, { steps, surrogate }), seed);
  const program = graph.build();
  const player = await reference.load(layout, [program]);
  const from = randomSource(steps);
  for (const { value } of layout.parameters) {
    const [low, high] = example.inputs[value.name]!;
    const values = player.values(value);
    for (let i = 0; i < values.length; i++) values[i] = from.uniform(low, high);
  }
  const weights = Float64Array.from(from.floats(steps * NEURONS));
  player.values(seed).set(weights);
  player.play(program);

  const values = Object.fromEntries(
    layout.parameters.map(({ value }) => [value.name, player.values(value)]),
  );
  const smooth = smoothLayer(example, values, { steps, held, spike: smoothSpike[surrogate] });
  const loss = () => smooth.run().reduce((sum, spike, i) => sum + spike * weights[i]!, 0);
  let worst = 0;
  for (const { value, gradient } of layout.parameters) {
    const traced = player.values(gradient).slice();
    worst = Math.max(worst, worstDifference(player.values(value), traced, loss));
  }
  return { worst, fired: smooth.fired };
}

interface Smooth {
  readonly steps: number;
  readonly held: boolean;
  readonly spike: (x: number) => number;
}

/** The layer whose resets stay where they are now. `run` gives its smooth spikes, `[T, rows, width]`. */
function smoothLayer(
  example: Example,
  values: Readonly<Record<string, Float64Array>>,
  { steps, held, spike }: Smooth,
) {
  const hard = new Float64Array(steps * NEURONS);
  const excesses = new Float64Array(steps * NEURONS);
  const run = (record = false) => {
    const spikes = new Float64Array(steps * NEURONS);
    for (let i = 0; i < NEURONS; i++) {
      const neuron = example.written((name) => values[name]![i % WIDTH]!);
      let { rest: state } = neuron;
      for (let t = 0; t < steps; t++) {
        const place = t * NEURONS + i;
        const [reset, felt] = t === 0 ? [0, 0] : [hard[place - NEURONS]!, spikes[place - NEURONS]!];
        const drive = values['current']![held ? i : place]!;
        const next = neuron.step(state, { current: drive, reset, felt });
        state = next.state;
        if (record) {
          excesses[place] = next.excess;
          hard[place] = Number(next.excess > 0);
        }
        spikes[place] = hard[place]! + spike(next.excess) - spike(excesses[place]!);
      }
    }
    return spikes;
  };
  run(true);
  return { run: () => run(), fired: hard.reduce((a, b) => a + b, 0) / hard.length };
}

describe.each(Object.keys(examples))('the gradient of %s', (name) => {
  it.each(Object.keys(surrogates) as Surrogate[])(
    'is that of its smooth spikes with surrogate %s, for a current that changes and one that is held',
    async (surrogate) => {
      const changing = await compare(examples[name]!, surrogate, [7, false]);
      const held = await compare(examples[name]!, surrogate, [5, true]);

      expect(changing.fired).toBeGreaterThan(0.1);
      expect(changing.fired).toBeLessThan(0.9);
      // The fast sigmoid bends sharply at 0, where a difference sees its curvature.
      const close = surrogate === 'fast_sigmoid' ? 1e-4 : 1e-6;
      expect(changing.worst).toBeLessThan(close);
      expect(held.worst).toBeLessThan(close);
    },
  );
});

it('starts trained leaks and thresholds at the requested values', () => {
  const { a, b } = evoLifStart(0.9, 1);

  expect(1 / (1 + Math.exp(-a))).toBeCloseTo(0.9, 12);
  expect(Math.log(1 + Math.exp(b))).toBeCloseTo(1, 12);
});

describe('a layer refuses', () => {
  const graph = new Graph('bad input', noParameters);
  const drive = graph.local('current', 'f32', [3, 2, 5]);
  const options = { steps: 3, surrogate: 'atan' } as const;
  const adaptive = { decay: 0.9, threshold: 1, adaptationDecay: 0.9, adaptationGain: 1 };

  it.each([
    [
      'a decay that is not a number',
      () => alif(graph, drive, { ...options, ...adaptive, decay: NaN }),
      'decay is NaN',
    ],
    [
      'a decay beyond 1',
      () => alif(graph, drive, { ...options, ...adaptive, adaptationDecay: 1.1 }),
      'adaptationDecay is 1.1',
    ],
    [
      'a threshold of 0',
      () => alif(graph, drive, { ...options, ...adaptive, threshold: 0 }),
      'threshold is 0',
    ],
    [
      'an infinite reset',
      () => izhikevich(graph, drive, { ...RS, ...options, numerics: 'euler', c: Infinity }),
      'c is Infinity',
    ],
    [
      'a step of no length',
      () => izhikevich(graph, drive, { ...RS, ...options, numerics: 'euler', dt: 0 }),
      'dt is 0',
    ],
    [
      'steps that are not those of the current',
      () => alif(graph, drive, { ...options, ...adaptive, steps: 4 }),
      'has 3 steps, expected 1 or 4',
    ],
    [
      'a leak that is not a number',
      () => lif(graph, drive, { ...options, beta: NaN, threshold: 1 }),
      'beta is NaN',
    ],
    [
      'half a step',
      () => alif(graph, drive, { ...options, ...adaptive, steps: 2.5 }),
      'steps is 2.5',
    ],
    ['a start beyond the range of beta', () => evoLifStart(1, 1), 'beta is 1'],
  ])('%s', (_, trace, message) => {
    expect(trace).toThrow(message);
  });

  const long = { steps: 1001 };
  const leak = { beta: 0.9, threshold: 1 };
  it.each<[string, (into: Graph, input: Tensor) => Tensor]>([
    ['alif', (into, input) => alif(into, input, { ...options, ...adaptive, ...long })],
    ['lif', (into, input) => lif(into, input, { ...options, ...leak, ...long })],
    [
      'relaxedLif',
      (into, input) => {
        const hardness = into.local('hardness', 'f32', [1]);
        return relaxedLif(into, input, { ...options, ...leak, hardness, ...long });
      },
    ],
  ])('a gradient of %s through more steps than a GPU keeps states of', (_, layer) => {
    const layout = layOutParameters([
      {
        name: 'current',
        shape: [1, 1, 1],
        initial: { kind: 'constant', value: 0 },
        decayed: false,
      },
    ]);
    const deep = new Graph('long', layout);
    const spikes = layer(deep, deep.parameter('current'));

    expect(() => differentiate(deep, spikes)).toThrow('1001 steps: expected at most 1000');
  });
});
