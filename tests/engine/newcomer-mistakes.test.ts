import { describe, expect, it } from 'vitest';
import {
  adamW,
  crossEntropy,
  crossEntropyPerStep,
  evaluate,
  type ExampleArrays,
  fit,
  type FitOptions,
  init,
  lif,
  linear,
  load,
  type Model,
  networkFrom,
  sequential,
  sgd,
  squaredError,
} from '../../library/index.ts';
import { arrayExamples } from '../../library/data.ts';
import { compile } from '../../library/graph.ts';
import { any, buildingMistakes, type Mistake } from './building-mistakes.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

const from = randomSource(1);
const x = from.floats(8 * 4);
const y = Uint8Array.from({ length: 8 }, (_, i) => i % 3);
const layers = [linear(6), lif(), linear(3), lif()];
const network = sequential(layers, { input: 4, steps: 5 });
const fitting: FitOptions = { loss: crossEntropyPerStep(), optimizer: adamW(1e-3), batchSize: 4 };

const made = (of = network): Promise<Model> => init(of, { device: reference });
const train = async (
  data: Partial<ExampleArrays>,
  more: object = {},
  of = network,
): Promise<unknown> => fit(await made(of), { x, y, ...data }, { ...fitting, ...more });

/** Mistakes of newcomers, and the message that each reads. */
const mistakes: Readonly<Record<string, Mistake>> = {
  ...buildingMistakes,
  'inputs of another size': {
    make: () => train({ x: from.floats(8 * 5) }),
    code: 'shape-mismatch',
    message:
      'x has 40 elements for 8 examples: the input [4] takes 4 numbers for each example, or 5 times as many over 5 time steps',
  },
  'an array of numbers as inputs': {
    make: () => train({ x: any([...x]) }),
    code: 'signal-invalid',
    message:
      'x is an array: expected a Float32Array of currents, a Uint8Array of spikes 0 and 1, or a Uint32Array of packed spikes',
  },
  'numbers in float64': {
    make: () => train({ x: any(Float64Array.from(x)) }),
    code: 'signal-invalid',
    message: /^x is Float64Array: expected a Float32Array/,
  },
  'pixels as spikes': {
    make: () => train({ x: Uint8Array.from({ length: 32 }, (_, i) => 8 * i) }),
    code: 'signal-invalid',
    message:
      'x is 8 at example 0, element 1: a Uint8Array is spikes, 0 or 1; for pixels take Float32Array.from(bytes, (byte) => byte / 255), or arrayExamples with scale: 1 / 255',
  },
  'pixels as spikes in a data set': {
    make: async () =>
      fit(await made(), arrayExamples({ x: new Uint8Array(32).fill(200, 5), y }), fitting),
    code: 'signal-invalid',
    message:
      'arrayExamples: x[5] is 200: expected 0 or 1, as a Uint8Array is spikes; pixels have a scale, such as scale: 1 / 255',
  },
  'a scale beside the arrays': {
    make: () => train(any({ x: new Uint8Array(32), scale: 1 / 255 })),
    code: 'dataset-invalid',
    message: 'the data has "scale": expected x and y; arrayExamples of spikegrid/data takes more',
  },
  'NaN in the inputs': {
    make: () => train({ x: x.with(13, Number.NaN) }),
    code: 'signal-invalid',
    message:
      'x is NaN at example 3, element 1: expected finite numbers; look for divisions by zero where it is made',
  },
  'labels from 1 on': {
    make: () => train({ y: y.map((label) => label + 1) }),
    code: 'dataset-invalid',
    message:
      'y is 3 at example 2: the network has 3 outputs, so that classes are whole numbers from 0 to 2',
  },
  'labels in one-hot': {
    make: () => train({ y: Array.from({ length: 24 }, (_, i) => (i % 4 === 0 ? 1 : 0)) }),
    code: 'shape-mismatch',
    message: /^x has 32 elements for 24 examples: the input \[4\] takes 4 numbers/,
  },
  'labels as text': {
    make: () => train({ y: any(['cat', 'dog', 'cat', 'dog', 'cat', 'dog', 'cat', 'dog']) }),
    code: 'dataset-invalid',
    message: /^y is cat at example 0: the network has 3 outputs/,
  },
  'a data set that is none': {
    make: async () => fit(await made(), any(42), fitting),
    code: 'dataset-invalid',
    message: 'the data is no { x, y } and cannot be iterated: expected arrays, or batches of them',
  },
  'batches that can be iterated once': {
    make: async () => {
      const once = [{ x, y }].values();
      return fit(await made(), once, { ...fitting, epochs: 2 });
    },
    code: 'dataset-invalid',
    message: /^the batches have ended before epoch 2: expected something that can be iterated/,
  },
  'a batch larger than the data': {
    make: () => train({}, { batchSize: 100 }),
    code: 'invalid-setting',
    message: 'fit: batchSize is 100, and there are fewer examples: expected at most as many',
  },
  'a loss by name': {
    make: () => train({}, { loss: 'cross-entropy' }),
    code: 'invalid-setting',
    message: 'fit: loss is "cross-entropy": expected a loss, such as crossEntropy()',
  },
  'a learning rate in place of an optimizer': {
    make: () => train({}, { optimizer: 5e-4 }),
    code: 'invalid-setting',
    message: 'fit: optimizer is 0.0005: expected one, such as adamW(5e-4)',
  },
  'early stopping without validation': {
    make: () => train({}, { earlyStopping: { patience: 3 } }),
    code: 'invalid-setting',
    message: 'fit: earlyStopping needs examples to judge by: expected validation',
  },
  'a loss on membranes of a layer without neurons': {
    make: () => train({}, {}, sequential([linear(6), lif(), linear(3)], { input: 4, steps: 5 })),
    code: 'invalid-structure',
    message: /the last layer, layer 2 \(linear\), gives no membranes/,
  },
  'a loss on spikes of a layer without neurons': {
    make: () => train({}, { loss: crossEntropy() }, sequential([linear(3)], { input: 4 })),
    code: 'invalid-structure',
    message: /the last layer, layer 0 \(linear\), gives no spikes/,
  },
  'numbers to be reached that are too few': {
    make: () => train({ y: from.floats(8) }, { loss: squaredError() }),
    code: 'shape-mismatch',
    message: 'y has 8 numbers: this loss takes 3 for each example, 3 outputs in 1 time steps',
  },
  'a learning rate that is far too high': {
    make: () =>
      train(
        { x: x.map((value) => 1e18 * value), y: from.floats(24) },
        { loss: squaredError({ on: 'values' }), optimizer: sgd(1e30), epochs: 3 },
        sequential([linear(6), linear(3)], { input: 4 }),
      ),
    code: 'diverged',
    message:
      /^fit: the (loss is (NaN|Infinity) at|gradient is not finite from) step \d.*layer|loss itself/,
  },
  'inputs too small for a neuron to fire': {
    make: () =>
      train(
        { x: x.map((value) => 1e-3 * value) },
        { loss: crossEntropy() },
        sequential(
          [
            linear(6),
            lif({ surrogate: 'triangle', threshold: 10 }),
            linear(3, { bias: false }),
            lif({ threshold: 10, surrogate: 'triangle' }),
          ],
          { input: 4, steps: 5 },
        ),
      ),
    code: 'diverged',
    message:
      /^fit: no gradient reaches the parameters in the first 2 steps; none of the neurons of layer 1 \(lif\), layer 3 \(lif\) fires/,
  },
  'going on with another batch size': {
    make: async () => {
      const history = await fit(await made(), { x, y }, fitting);
      return train({}, { resume: history.save(), batchSize: 2 });
    },
    code: 'checkpoint-mismatch',
    message: 'fit: what it resumes was trained with batchSize 4, the options have 2',
  },
  'a model file as training to go on with': {
    make: async () => train({}, { resume: (await made()).save() }),
    code: 'checkpoint-mismatch',
    message: /^resume is a file of spikegrid\.network: expected spikegrid\.training 1/,
  },
  'a file of something else': {
    make: () => load(new TextEncoder().encode('<!doctype html><title>404</title>')),
    code: 'checkpoint-damaged',
    message: /^the file: the header claims/,
  },
  'a network of unknown layers': {
    make: () => networkFrom({ input: 4, layers: [{ kind: 'lstm', units: 3 }] }),
    code: 'checkpoint-damaged',
    message: /^layer 0 is of the kind "lstm": expected activation, adlif/,
  },
  'a device that there is not': {
    make: () => init(network, { device: any('gpu') }),
    code: 'unknown-device',
    message: 'unknown device "gpu": expected auto, webgpu, wasm, reference',
  },
  'a seed that is no number': {
    make: () => init(network, { device: reference, seed: any('42') }),
    code: 'invalid-setting',
    message: 'seed is "42": expected a whole number from 0 to 2^53 - 1',
  },
  'a parameter by a wrong name': {
    make: async () => (await made()).parameter('weight'),
    code: 'invalid-structure',
    message: 'there is no parameter named weight',
  },
  'an input of a program left out': {
    make: async () => {
      const loop = await compile(await made(), {
        play: ({ input }) => ({ x: input('x', [1, 2, 4]) }),
      });
      return loop.programs.play({});
    },
    code: 'shape-mismatch',
    message: 'the input x is missing: expected a Float32Array of 8 for input x f32[1, 2, 4]',
  },
  'an evaluation without examples': {
    make: async () => evaluate(await made(), { x: new Float32Array(0), y: [] }),
    code: 'shape-mismatch',
    message: /^x has 0 elements for 0 examples/,
  },
};

describe('a newcomer reads what is wrong and what to do', () => {
  it.each(Object.entries(mistakes))('about %s', async (_name, { make, code, message }) => {
    let caught: unknown;
    try {
      await make();
    } catch (error) {
      caught = error;
    }

    expect(caught).toMatchObject({ name: 'EngineError', code });
    expect((caught as Error).message).toMatch(message);
  });
});
