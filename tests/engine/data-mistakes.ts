import { arrayExamples } from '../../library/data.ts';
import {
  adamW,
  crossEntropyPerStep,
  type ExampleArrays,
  fit,
  type FitOptions,
  init,
  lif,
  linear,
  type Model,
  sequential,
  squaredError,
} from '../../library/index.ts';
import { any, type Mistake } from './building-mistakes.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

export const from = randomSource(1);
export const x = from.floats(8 * 4);
export const y = Uint8Array.from({ length: 8 }, (_, i) => i % 3);
const layers = [linear(6), lif(), linear(3), lif()];
export const network = sequential(layers, { input: 4, steps: 5 });
export const fitting: FitOptions = {
  loss: crossEntropyPerStep(),
  optimizer: adamW(1e-3),
  batchSize: 4,
};

export const made = (of = network): Promise<Model> => init(of, { device: reference });
export const train = async (
  data: Partial<ExampleArrays>,
  more: object = {},
  of = network,
): Promise<unknown> => fit(await made(of), { x, y, ...data }, { ...fitting, ...more });

/** Mistakes in what is learned from. */
export const dataMistakes: Readonly<Record<string, Mistake>> = {
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
  "NaN in examples of one's own": {
    make: async () => {
      const examples = arrayExamples({ x: x.slice(), y });
      const odd = {
        ...examples,
        write: (_: number, to: { inputs: Float32Array }) => void to.inputs.fill(Number.NaN),
      };
      return fit(await made(), odd, fitting);
    },
    code: 'signal-invalid',
    message: /^example \d is NaN at element 0, as its data or transforms wrote it: expected finite/,
  },
  'NaN in numbers to be reached': {
    make: () =>
      train(
        { y: Array.from({ length: 24 }, (_, i) => (i === 7 ? Number.NaN : 0)) },
        { loss: squaredError() },
      ),
    code: 'signal-invalid',
    message: /^y is NaN at example 2, element 1: expected finite numbers/,
  },
  'labels of 64 bits': {
    make: () => train({ y: any(BigInt64Array.from({ length: 8 }, () => 1n)) }),
    code: 'signal-invalid',
    message:
      /^y is BigInt64Array: expected classes as a Uint8Array, Uint32Array or array of numbers/,
  },
  'numbers to be reached that are too few': {
    make: () => train({ y: from.floats(8) }, { loss: squaredError() }),
    code: 'shape-mismatch',
    message: 'y has 8 numbers: this loss takes 3 for each example, 3 outputs in 1 time steps',
  },
};
