import { describe, expect, it } from 'vitest';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { crossEntropy } from '../../engine/ops/cross-entropy.ts';
import { activation } from '../../engine/ops/activation.ts';
import { embedding } from '../../engine/ops/embedding.ts';
import { leakyMembrane } from '../../engine/ops/leaky.ts';
import { ACTIVATIONS } from '../../engine/kernels/dense.ts';
import { holdSteps } from '../../engine/ops/hold-steps.ts';
import { linear, spikeLinear } from '../../engine/ops/linear.ts';
import { layerNorm, rmsNorm } from '../../engine/ops/norm.ts';
import { addPositions } from '../../engine/ops/positions.ts';
import { randomSpikes } from '../../engine/ops/random.ts';
import { relaxedAttention } from '../../engine/ops/relaxed-attention.ts';
import { decayTable } from '../../engine/ops/spike-attention.ts';
import { meanSteps, readoutMix } from '../../engine/ops/readout.ts';
import { softmaxAttention } from '../../engine/ops/softmax-attention.ts';
import { clockInput } from '../../engine/ops/step-inputs.ts';
import { tokenShift } from '../../engine/ops/token-shift.ts';
import { worstGradientError } from './gradient-check.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

/** Central differences with steps of 1e-5 in float64 agree to about 1e-9 where the function is smooth. */
const CLOSE = 1e-7;

const ids = (graph: Graph, values: readonly number[]) =>
  graph.constant('ids', [values.length], Uint32Array.from(values));

describe('gradients equal finite differences', () => {
  it('for the embedding, with tokens that repeat, one that is missing and one outside the table', async () => {
    const inputs = { table: [5, 3] };
    const trace = (graph: Graph, { table }: { table: Tensor }) =>
      embedding(graph, ids(graph, [3, 0, 3, 3, 4, 0]), table);
    expect(await worstGradientError({ inputs, trace })).toBeLessThan(CLOSE);
  });

  it.each([1, 3])('for a linear with bias and a residual of %i steps', async (steps) => {
    const inputs = { input: [3, 4, 5], weight: [5, 7], bias: [7], residual: [steps, 4, 7] };
    const error = await worstGradientError({
      inputs,
      trace: (graph, { input, weight, ...epilogue }) => linear(graph, input, weight, epilogue),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it.each([1, 2])('for a spike-fed linear with bias and a residual of %i steps', async (steps) => {
    // Rows and features of more than a word of spikes: one element more takes two plays more.
    const probabilities = randomSource(2).floats(2 * 33 * 35, 0, 0.6);
    const error = await worstGradientError({
      inputs: { weight: [35, 2], bias: [2], residual: [steps, 33, 2] },
      trace(graph, { weight, ...epilogue }) {
        const p = graph.constant('probabilities', [2, 33, 35], probabilities);
        const spikes = randomSpikes(graph, p, { stream: 0, clock: clockInput(graph) });
        return spikeLinear(graph, spikes, weight, epilogue);
      },
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it('for the layer norm', async () => {
    const error = await worstGradientError({
      inputs: { input: [2, 5, 7], gain: [7], offset: [7] },
      trace: (graph, { input, gain, offset }) => layerNorm(graph, input, gain, offset),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it('for the rms norm', async () => {
    const error = await worstGradientError({
      inputs: { input: [2, 70, 7], gain: [7] },
      trace: (graph, { input, gain }) => rmsNorm(graph, input, gain),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it.each([1, 4])('for the token shift in sequences of %i', async (sequence) => {
    const error = await worstGradientError({
      inputs: { input: [2, 8, 3], mix: [3] },
      trace: (graph, { input, mix }) => tokenShift(graph, input, mix, { sequence }),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it('for the token shift of chunks that continue from the token before', async () => {
    const error = await worstGradientError({
      inputs: { input: [2, 8, 3], mix: [3] },
      trace(graph, { input, mix }) {
        const before = randomSource(4).floats(2 * 2 * 3);
        const previous = graph.constant('previous', [2, 2, 3], before);
        return tokenShift(graph, input, mix, { sequence: 4, previous });
      },
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it.each([1, 5])('for relaxed attention in sequences of %i', async (sequence) => {
    const error = await worstGradientError({
      inputs: { qkv: [2, 10, 12] },
      trace(graph, { qkv }) {
        const table = decayTable([2, 6], 2, sequence);
        const decay = graph.constant('decay', [2, sequence], table);
        return relaxedAttention(graph, qkv, { heads: 2, sequence, decay });
      },
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it('for learned positions', async () => {
    const error = await worstGradientError({
      inputs: { input: [1, 8, 3], table: [4, 3] },
      trace: (graph, { input, table }) => addPositions(graph, input, table),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it.each(ACTIVATIONS)('for %s, of a tensor that goes past it too', async (name) => {
    const error = await worstGradientError({
      inputs: { input: [1, 5, 7], weight: [7, 7] },
      trace(graph, { input, weight }) {
        const inside = name === 'log' ? activation(graph, input, 'softplus') : input;
        return linear(graph, activation(graph, inside, name), weight, { residual: inside });
      },
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it('for steps that are held', async () => {
    const error = await worstGradientError({
      inputs: { input: [2, 3, 5] },
      trace: (graph, { input }) => holdSteps(graph, input, 3),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it('for a step that is held and goes past that, too', async () => {
    const error = await worstGradientError({
      inputs: { input: [1, 3, 5], weight: [5, 5] },
      trace: (graph, { input, weight }) =>
        linear(graph, holdSteps(graph, input, 3), weight, { residual: input }),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it.each([1, 5])('for softmax attention in sequences of %i', async (sequence) => {
    const error = await worstGradientError({
      inputs: { qkv: [1, 10, 12] },
      trace: (graph, { qkv }) => softmaxAttention(graph, qkv, { heads: 2, sequence }),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it('for the mean over steps and the readout mix', async () => {
    const error = await worstGradientError({
      inputs: { direct: [1, 5, 33], deep: [4, 5, 33], mix: [1] },
      trace: (graph, { direct, deep, mix }) =>
        readoutMix(graph, direct, meanSteps(graph, deep), mix),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it.each([1, 6])('for membranes over 6 steps from a current of %i', async (currentSteps) => {
    const neuron = { steps: 6, beta: 0.8, threshold: 0.3 };
    const error = await worstGradientError({
      inputs: { current: [currentSteps, 3, 7] },
      trace: (graph, { current }) => leakyMembrane(graph, current, neuron),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it('for a tensor that is read three times, twice as a residual', async () => {
    const error = await worstGradientError({
      inputs: { stream: [2, 3, 4], first: [4, 4], second: [4, 4], gain: [4], offset: [4] },
      trace(graph, { stream, first, second, gain, offset }) {
        const normalised = layerNorm(graph, stream, gain, offset);
        const once = linear(graph, normalised, first, { residual: stream });
        return linear(graph, once, second, { residual: stream });
      },
    });
    expect(error).toBeLessThan(CLOSE);
  });
});

describe('cross-entropy', () => {
  it.each([1, 3])('has the gradient of the mean loss over %i steps', async (steps) => {
    const layout = layOutParameters([
      {
        name: 'logits',
        shape: [steps, 6 / steps, 5],
        initial: { kind: 'constant', value: 0 },
        decayed: false,
      },
    ]);
    const graph = new Graph('loss', layout);
    const targets = graph.constant('targets', [6], Uint32Array.of(4, 0, 2, 2, 1, 3));
    const history = graph.local('history', 'f32', [4]);
    const loss = crossEntropy(graph, graph.parameter('logits'), targets, {
      history,
      clock: clockInput(graph),
    });
    differentiate(graph, loss);
    const program = graph.build();
    const player = await reference.load(layout, [program]);
    const { value, gradient } = layout.get('logits');
    const logits = player.values(value);
    logits.set(randomSource(4).floats(logits.length, -3, 3));
    player.play(program);
    const traced = player.values(gradient).slice();

    for (let i = 0; i < logits.length; i++) {
      const centre = logits[i]!;
      const lossAt = (x: number) => {
        logits[i] = x;
        player.play(program);
        return player.values(history)[0]!;
      };
      const expected = (lossAt(centre + 1e-5) - lossAt(centre - 1e-5)) / 2e-5;
      logits[i] = centre;
      expect(Math.abs(traced[i]! - expected)).toBeLessThan(CLOSE);
    }
  });
});
