import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { parseNeuron } from '../../engine/neurons/equations.ts';
import { equationMembrane, equationNeuron } from '../../engine/ops/equation-neuron.ts';
import { formula } from '../../engine/ops/formula.ts';
import { leakyMembrane } from '../../engine/ops/leaky.ts';
import { spikeValues } from '../../engine/ops/time-readouts.ts';
import { playedOp, type TracedOp } from './compare-backends.ts';
import { worstGradientError } from './gradient-check.ts';
import { ADAPTIVE } from './neuron-texts.ts';
import { reference, variants } from './play.ts';
import './matchers.ts';

/** Central differences with steps of 1e-5 in float64. */
const CLOSE = 1e-7;

const OPTIONS = { steps: 6, surrogate: 'atan', surrogateWidth: 1 } as const;

const lif = parseNeuron(`
  state u = 0, s = 0
  u = 0.5 * u + I - detach(s) * 0.75
  s = spike(u - 0.75)`);
/** Never fires: its membrane is smooth in all that it learns. */
const silent = parseNeuron(`
  state u = 0
  learn beta = 0.9 in [0, 1] per neuron;  learn gain = 1 per layer
  u = beta * u + gain * I
  s = spike(u - 100)`);
const adaptive = parseNeuron(ADAPTIVE);

type Inputs = Readonly<Record<string, Tensor>>;

const membranesOf = (text: typeof lif, width: number, steps: number): TracedOp => ({
  inputs: {
    current: [steps, 3, width],
    ...Object.fromEntries(
      text.learned.map(({ name, per }) => [name, [per === 'neuron' ? width : 1]]),
    ),
  },
  trace: (graph, { current, ...learned }: Inputs) =>
    equationMembrane(
      graph,
      formula(graph, '2 * x', { x: current! }),
      { neuron: text, learned },
      OPTIONS,
    ),
});

describe('membranes of neurons that are equations', () => {
  it.each([1, 6])(
    'of LIF are those of the kernel, with its gradient, on %i steps',
    async (steps) => {
      const written = membranesOf(lif, 7, steps);
      const byHand: TracedOp = {
        inputs: written.inputs,
        trace(graph, { current }) {
          const x = formula(graph, '2 * x', { x: current! });
          const u = leakyMembrane(graph, x, { steps: 6, beta: 0.5, threshold: 0.75 });
          return formula(graph, 'u - 0.75', { u });
        },
      };
      const expected = await playedOp(reference, byHand);
      const actual = await playedOp(reference, written);

      expect([...expected[0]![1]].some((value) => value > 0)).toBe(true);
      for (const [i, [name, values]] of actual.entries()) {
        expect(values, name).toMatchNumbers(expected[i]![1], 1e-6);
      }
    },
  );

  it.each([1, 6])(
    'have the gradients that differences give, on currents of %i steps',
    async (steps) => {
      const { inputs, trace } = membranesOf(silent, 5, steps);
      expect(await worstGradientError({ inputs, trace })).toBeLessThan(CLOSE);
    },
  );

  it('are above 0 where the neurons fire', async () => {
    const op = membranesOf(lif, 9, 6);
    const fired: TracedOp = {
      inputs: op.inputs,
      trace: (graph, { current, ...learned }) =>
        spikeValues(
          graph,
          equationNeuron(
            graph,
            formula(graph, '2 * x', { x: current! }),
            { neuron: lif, learned },
            OPTIONS,
          ),
        ),
    };
    const [[, membranes]] = (await playedOp(reference, op)) as [readonly [string, Float32Array]];
    const [[, spikes]] = (await playedOp(reference, fired)) as [readonly [string, Float32Array]];

    expect([...spikes]).toContain(1);
    expect([...membranes].map((value) => Number(value > 0))).toEqual([...spikes]);
  });
});

const ops = [1, 65].flatMap((width) =>
  [1, 6].map((steps) => [width, steps, membranesOf(adaptive, width, steps)] as const),
);

describe.each(Object.entries(variants as Record<string, () => Promise<Backend>>))(
  '%s',
  (_variant, open) => {
    let backend: Backend;
    beforeAll(async () => {
      backend = await open();
    });
    afterAll(() => backend.close());

    it.each(ops)('agrees with the reference on %i membranes from %i steps', async (_w, _s, op) => {
      const [expected, actual] = await Promise.all([
        playedOp(reference, op),
        playedOp(backend, op),
      ]);
      for (const [i, [name, values]] of actual.entries()) {
        expect(values, name).toMatchNumbers(expected[i]![1], 2e-5);
      }
    });
  },
);
