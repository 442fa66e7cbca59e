import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { parseNeuron } from '../../engine/neurons/equations.ts';
import { writtenNeurons } from '../../engine/neurons/written-catalogue.ts';
import { equationNeuron } from '../../engine/ops/equation-neuron.ts';
import { formula } from '../../engine/ops/formula.ts';
import { recurrentLif } from '../../engine/ops/recurrent-lif.ts';
import { recurrentNeuron } from '../../engine/ops/recurrent-neuron.ts';
import { spikeValues } from '../../engine/ops/time-readouts.ts';
import { playedOp, type TracedOp } from './compare-backends.ts';
import { ADAPTIVE } from './neuron-texts.ts';
import { noParameters, reference, variants } from './play.ts';
import { randomSource } from './random.ts';
import './matchers.ts';

const STEPS = 5;
const SURROGATE = { steps: STEPS, surrogate: 'atan', surrogateWidth: 1 } as const;

const lif = parseNeuron(writtenNeurons.lif.text);
const adaptive = parseNeuron(ADAPTIVE);
const alif = parseNeuron(`
  state v = 0, a = 0, s = 0
  beta = 0.8;  rho = 0.7;  rise = 0.3
  v = beta * v + I - detach(s) * 0.5
  a = rho * a + s
  s = spike(v - 0.5 - rise * a)`);

type Inputs = Readonly<Record<string, Tensor>>;

/** A layer of `width` neurons on currents of `steps` steps; what it learns is named as in the text. */
function layerOf(text: typeof lif, width: number, steps: number): TracedOp {
  const learned = Object.fromEntries(
    text.learned.map(({ name, per }) => [name, [per === 'neuron' ? width : 1]]),
  );
  const inputs = { current: [steps, 3, width], weight: [width, width], bias: [width], ...learned };
  return {
    inputs,
    trace(graph, { current, weight, bias, ...own }: Inputs) {
      const neurons = { neuron: text, learned: own, weight: weight! };
      return spikeValues(
        graph,
        recurrentNeuron(graph, current!, neurons, { ...SURROGATE, bias: bias! }),
      );
    },
  };
}

describe('a recurrent layer of neurons that are equations', () => {
  it.each([1, STEPS])(
    'of LIF has the spikes and gradients of the kernel for all steps, on currents of %i steps',
    async (steps) => {
      const written = layerOf(lif, 7, steps);
      const byHand: TracedOp = {
        inputs: written.inputs,
        trace: (graph, { current, weight, bias }) =>
          spikeValues(
            graph,
            recurrentLif(graph, current!, weight!, {
              ...SURROGATE,
              beta: Math.exp(-1 / 20),
              threshold: 1,
              bias: bias!,
            }),
          ),
      };
      const expected = await playedOp(reference, byHand);
      const actual = await playedOp(reference, written);

      expect([...expected[0]![1]]).toContain(1);
      for (const [i, [name, values]] of actual.entries()) {
        expect(values, name).toMatchNumbers(expected[i]![1], 1e-6);
      }
    },
  );

  it.each([
    ['alif', alif],
    ['neurons that learn', adaptive],
  ])('of %s, deaf to itself, is the layer without recurrence', async (_name, text) => {
    const { inputs, trace } = layerOf(text, 7, STEPS);
    const deaf: TracedOp = {
      inputs,
      trace(graph, all) {
        const weight = graph.constant('no weights', [7, 7], new Float32Array(49));
        const bias = graph.constant('no bias', [7], new Float32Array(7));
        return trace(graph, { ...all, weight, bias });
      },
    };
    const plain: TracedOp = {
      inputs,
      trace: (graph, { current, weight: _weight, bias: _bias, ...learned }) =>
        spikeValues(graph, equationNeuron(graph, current!, { neuron: text, learned }, SURROGATE)),
    };
    const expected = await playedOp(reference, plain);
    const actual = await playedOp(reference, deaf);

    expect([...expected[0]![1]]).toContain(1);
    for (const [i, [name, values]] of actual.entries()) {
      expect(values, name).toMatchNumbers(expected[i]![1], 1e-7);
    }
  });

  it('of ALIF has the gradients of its smooth counterpart', async () => {
    const [rows, width] = [3, 6];
    const op = layerOf(alif, width, STEPS);
    const played = await playedOp(reference, op);
    // The values that playedOp draws, in its order, and then the seed.
    const from = randomSource(11);
    const drawn = Object.entries(op.inputs).map(([name, shape]) => {
      const values = from.floats(shape.reduce((a, b) => a * b, 1));
      return [name, Float64Array.from(values)] as const;
    });
    const values = Object.fromEntries(drawn);
    const lossOf = smoothAlif(values, from.floats(STEPS * rows * width), { rows, width });
    lossOf();

    const step = 1e-5;
    for (const [name, gradient] of played.slice(1)) {
      const numbers = values[name]!;
      const expected = Array.from(numbers, (centre, i) => {
        numbers[i] = centre + step;
        const above = lossOf();
        numbers[i] = centre - step;
        const below = lossOf();
        numbers[i] = centre;
        return (above - below) / (2 * step);
      });
      expect(expected.some((value) => Math.abs(value) > 0.01)).toBe(true);
      expect(gradient, name).toMatchNumbers(expected, 1e-6);
    }
  });

  it('refuses weights of another shape, and more steps than it keeps states of', () => {
    const graph = new Graph('refused', noParameters);
    const current = graph.local('current', 'f32', [5, 1, 4]);
    const held = graph.local('held', 'f32', [1, 1, 4]);
    const neurons = (weight: Tensor) => ({ neuron: lif, learned: {}, weight });

    const wide = neurons(graph.local('wide', 'f32', [4, 5]));
    expect(() => recurrentNeuron(graph, current, wide, SURROGATE)).toThrow(
      'expected f32[4, 4], got wide f32[4, 5]',
    );
    const fit = neurons(graph.local('fit', 'f32', [4, 4]));
    const joined = { ...fit, neuron: parseNeuron(writtenNeurons.entangled.text) };
    expect(() => recurrentNeuron(graph, current, joined, SURROGATE)).toThrow(
      'line 6, column 5: groupMean(...) joins the neurons of a layer: a recurrent layer',
    );
    expect(() => recurrentNeuron(graph, held, fit, { ...SURROGATE, steps: 1001 })).toThrow(
      /1001 steps: expected at most 1000/,
    );
  });
});

/** ALIF as above whose spikes change by the surrogate's integral; resets stay as they were. */
function smoothAlif(
  values: Readonly<Record<string, Float64Array>>,
  factors: Float32Array,
  { rows, width }: { rows: number; width: number },
) {
  const integral = (x: number) => Math.atan(Math.PI * x) / Math.PI;
  const [current, weight, bias] = [values['current']!, values['weight']!, values['bias']!];
  const layer = rows * width;
  const first: { fired: number; smooth: number }[] = [];
  return () => {
    const isFirst = first.length === 0;
    const [v, a, s] = [0, 0, 0].map(() => new Float64Array(STEPS * layer)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    let loss = 0;
    for (let i = 0; i < STEPS * layer; i++) {
      const n = i % width;
      v[i] = current[i]! + bias[n]!;
      if (i >= layer) {
        const before = i - layer;
        for (let k = 0; k < width; k++) v[i]! += weight[k * width + n]! * s[before - n + k]!;
        v[i]! += 0.8 * v[before]! - 0.5 * first[before]!.fired;
        a[i] = 0.7 * a[before]! + s[before]!;
      }
      const x = v[i]! - 0.5 - 0.3 * a[i]!;
      if (isFirst) first.push({ fired: Number(x > 0), smooth: integral(x) });
      s[i] = first[i]!.fired + integral(x) - first[i]!.smooth;
      loss += factors[i]! * s[i]!;
    }
    return loss;
  };
}

/** The same with a gain that is positive, so that neurons fire. */
function excited({ inputs, trace }: TracedOp): TracedOp {
  return {
    inputs,
    trace: (graph, { gain, ...all }) =>
      trace(graph, { ...all, gain: formula(graph, '1.5 + gain', { gain: gain! }) }),
  };
}

/** A lone neuron, and more than two words of them; each with currents that are held, too. */
const layers = [1, 65].flatMap((width) =>
  [1, STEPS].map((steps) => [width, steps, excited(layerOf(adaptive, width, steps))] as const),
);

describe.each(Object.entries(variants as Record<string, () => Promise<Backend>>))(
  '%s',
  (_variant, open) => {
    let backend: Backend;
    beforeAll(async () => {
      backend = await open();
    });
    afterAll(() => backend.close());

    it.each(layers)(
      'agrees with the reference on %i recurrent neurons with currents of %i steps',
      async (width, _steps, op) => {
        const [expected, actual] = await Promise.all([
          playedOp(reference, op),
          playedOp(backend, op),
        ]);
        // A lone neuron may stay silent.
        expect(width === 1 || expected[0]![1].some((value) => value === 1)).toBe(true);
        for (const [i, [name, values]] of actual.entries()) {
          expect(values, name).toMatchNumbers(expected[i]![1], 2e-5);
        }
      },
    );
  },
);
