import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { wordCount } from '../../engine/graph/tensor.ts';
import { parseNeuron } from '../../engine/neurons/equations.ts';
import { equationNeuron } from '../../engine/ops/equation-neuron.ts';
import { learnedStart } from '../../engine/ops/learned-start.ts';
import { differentiate } from '../../engine/ops/gradients.ts';
import { keep } from '../../engine/ops/keep.ts';
import { reference, triedVariants } from './play.ts';
import { randomSource } from './random.ts';
import { smoothSpike, worstDifference } from './smooth-spikes.ts';

const ADLIF = `
  state u = 0, w = 0
  learn beta = 0.9 in [0, 1] per neuron;  rho = 0.8;  a = 0.2
  u = beta * u + I - w
  s = spike(u - 1)
  w = rho * w + a * s
  u = u - s`;

const PLIF = `
  state v = 0
  learn rate = 0.3 in [0, 1] per layer
  v = v + rate * (I - v)
  s = spike(v - 0.5)
  v = s > 0.5 ? 0 : v`;

/** A spike with a slope of its own, instead of the surrogate's. */
const OWN_SLOPE = `
  state u = 0
  learn beta = 0.9 in [0, 1] per neuron;  k = 3
  u = beta * u + I
  s = spike(u - 1, k / (1 + k * abs(x))^2)
  u = u - s`;

/** A step written once more, by hand: the state after it, and how far it is above the threshold. */
type Step = (
  state: Float64Array,
  input: number,
  learned: number,
  fire: (x: number) => number,
) => void;

interface Example {
  readonly text: string;
  readonly low: number;
  readonly high: number;
  readonly step: Step;
  /** Of the slope that the text gives its spike; that of the surrogate where it gives none. */
  readonly integral?: (x: number) => number;
}

const examples: Record<string, Example> = {
  adLIF: {
    text: ADLIF,
    low: -0.4,
    high: 1,
    step(state, input, beta, fire) {
      const [u = 0, w = 0] = state;
      const membrane = beta * u + input - w;
      const s = fire(membrane - 1);
      state[1] = 0.8 * w + 0.2 * s;
      state[0] = membrane - s;
    },
  },
  PLIF: {
    text: PLIF,
    low: -0.5,
    high: 2.5,
    step(state, input, rate, fire) {
      const [v = 0] = state;
      const membrane = v + rate * (input - v);
      const s = fire(membrane - 0.5);
      // The condition has no gradient: a neuron that fired forgets.
      state[0] = s > 0.5 ? 0 : membrane;
    },
  },
  'a slope of its own': {
    text: OWN_SLOPE,
    low: -0.4,
    high: 1,
    step(state, input, beta, fire) {
      const [u = 0] = state;
      const membrane = beta * u + input;
      state[0] = membrane - fire(membrane - 1);
    },
    integral: (x) => (3 * x) / (1 + 3 * Math.abs(x)),
  },
};

const STEPS = 9;
const ROWS = 3;
const WIDTH_OF_SURROGATE = 0.5;
/** Of the surrogate that is stretched to this width. */
const ofSurrogate = (x: number) => WIDTH_OF_SURROGATE * smoothSpike.atan(x / WIDTH_OF_SURROGATE);
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** A layer with its gradients, for currents and learned parameters that are drawn. */
function traced(text: string, width: number, isHeld = false) {
  const neuron = parseNeuron(text);
  const [own] = neuron.learned;
  const layout = layOutParameters([
    parameter('current', [isHeld ? 1 : STEPS, ROWS, width]),
    ...(own ? [parameter('learned', [own.per === 'neuron' ? width : 1])] : []),
  ]);
  const graph = new Graph('written', layout);
  const weights = graph.local('weights', 'f32', [STEPS, ROWS, width]);
  const learned = own ? { [own.name]: graph.parameter('learned') } : {};
  const spikes = equationNeuron(
    graph,
    graph.parameter('current'),
    { neuron, learned },
    {
      ...{ steps: STEPS, surrogate: 'atan', surrogateWidth: WIDTH_OF_SURROGATE },
    },
  );
  const kept = keep(graph, 'kept spikes', spikes);
  differentiate(graph, spikes, weights);
  return { neuron, layout, weights, kept, program: graph.build() };
}

const parameter = (name: string, shape: readonly number[]) =>
  ({ name, shape, initial: { kind: 'constant', value: 0 }, decayed: false }) as const;

async function play(backend: Backend, name: string, width: number, isHeld = false) {
  const { text, low, high, step, integral = ofSurrogate } = examples[name]!;
  const { neuron, layout, weights, kept, program } = traced(text, width, isHeld);
  const player = await backend.load(layout, [program]);
  const from = randomSource(width);
  const current = layout.get('current');
  const learned = layout.get('learned');
  const start = learnedStart(neuron.learned[0]!);
  const given = {
    current: Float32Array.from({ length: wordCount(current.value) }, () => from.uniform(low, high)),
    learned: Float32Array.from(
      { length: wordCount(learned.value) },
      () => start + from.uniform(-1, 1),
    ),
    weights: Float32Array.from(from.floats(STEPS * ROWS * width)),
  };
  player.write(current.value, given.current);
  player.write(learned.value, given.learned);
  player.write(weights, given.weights);
  player.play(program);
  const spikes = await player.read(kept);
  const gradients = {
    current: await player.read(current.gradient),
    learned: await player.read(learned.gradient),
  };
  player.close();
  const size = neuron.states.length;
  return { given, spikes: spikes as Uint32Array, gradients, step, integral, size };
}

type Played = Awaited<ReturnType<typeof play>>;

/** The loop by hand in float64: hard spikes that move with the surrogate's integral. */
function handLoop({ given, step, integral, size }: Played, width: number, isHeld = false) {
  const current = Float64Array.from(given.current);
  const learned = Float64Array.from(given.learned);
  const base = new Float64Array(STEPS * ROWS * width);
  const run = (record: boolean) => {
    const spikes = new Float64Array(base.length);
    for (let i = 0; i < ROWS * width; i++) {
      const state = new Float64Array(size);
      for (let t = 0; t < STEPS; t++) {
        const place = t * ROWS * width + i;
        const own = sigmoid(learned[learned.length === 1 ? 0 : i % width]!);
        step(state, current[isHeld ? i : place]!, own, (x) => {
          if (record) base[place] = x;
          const moved = integral(x) - integral(base[place]!);
          return (spikes[place] = Number(base[place]! > 0) + moved);
        });
      }
    }
    return spikes;
  };
  const spikes = run(true);
  const loss = () => run(false).reduce((sum, spike, i) => sum + spike * given.weights[i]!, 0);
  return { current, learned, spikes, loss };
}

const opened: Record<string, Backend> = {};
beforeAll(async () => {
  for (const [name, open] of Object.entries(triedVariants)) opened[name] = await open();
  opened['reference'] = reference;
});
afterAll(() => {
  for (const [name, backend] of Object.entries(opened)) if (name !== 'reference') backend.close();
});

function isSet(words: Uint32Array, row: number, column: number, width: number): number {
  return (words[row * Math.ceil(width / 32) + (column >> 5)]! >>> (column & 31)) & 1;
}

describe.each(Object.keys(examples))('%s, written as a user would', (name) => {
  it.each([...Object.keys(triedVariants), 'reference'])(
    'is the loop by hand on %s',
    async (backend) => {
      for (const width of [1, 63, 64, 65]) {
        const played = await play(opened[backend]!, name, width);
        const hand = handLoop(played, width);
        let fired = 0;
        for (let row = 0; row < STEPS * ROWS; row++) {
          for (let column = 0; column < width; column++) {
            const spike = isSet(played.spikes, row, column, width);
            expect(spike, `row ${row}, neuron ${column} of ${width}`).toBe(
              hand.spikes[row * width + column],
            );
            fired += spike;
          }
        }
        expect(fired / (STEPS * ROWS * width)).toBeGreaterThan(0.05);
        // Differences of the hand's loop take two runs a number: of few currents, and of all that is learned.
        const few = width === 1 ? hand.current : hand.current.subarray(0, 40);
        expect(worstDifference(few, played.gradients.current, hand.loss)).toBeLessThan(1e-4);
        expect(worstDifference(hand.learned, played.gradients.learned, hand.loss)).toBeLessThan(
          1e-4,
        );
      }
    },
  );

  it('sums the gradient of a current that is held over the steps', async () => {
    const played = await play(reference, name, 5, true);
    const hand = handLoop(played, 5, true);

    expect(worstDifference(hand.current, played.gradients.current, hand.loss)).toBeLessThan(1e-6);
  });
});
