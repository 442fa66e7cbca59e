import type { Examples } from '../data/examples.ts';
import { EngineError } from '../errors.ts';
import type { Batches, Data } from '../layers/batch-source.ts';
import type { ExampleArrays } from '../layers/examples.ts';
import type { Change } from './findings.ts';

/**
 * The same data with inputs `(x - offset) * scale` as the changes say; the data itself where they say nothing. Throws
 * EngineError `invalid-setting` for spikes, which have no scale.
 */
export function scaleInputs(data: Data, changes: readonly Change[]): Data {
  const to = (wanted: Change['setting']) => changes.find(({ setting }) => setting === wanted)?.to;
  const [offset = 0, scale = 1] = [to('input-offset'), to('input-scale')];
  if (offset === 0 && scale === 1) return data;
  const scaled = (value: number) => (value - offset) * scale;
  if (typeof data === 'function') return () => scaledBatches(data(), scaled);
  if ('x' in data) return scaledArrays(data, scaled);
  return 'write' in data ? scaledExamples(data, scaled) : () => scaledBatches(data, scaled);
}

type Scaled = (value: number) => number;

function scaledArrays({ x, y }: ExampleArrays, scaled: Scaled): ExampleArrays {
  if (x instanceof Float32Array) return { x: x.map(scaled), y };
  throw new EngineError('invalid-setting', 'the inputs are spikes: expected numbers to be scaled');
}

async function* scaledBatches(batches: Batches, scaled: Scaled) {
  for await (const batch of batches) yield scaledArrays(batch, scaled);
}

function scaledExamples(examples: Examples, scaled: Scaled): Examples {
  const { frames, width } = examples;
  return {
    ...examples,
    label: (example) => examples.label(example),
    write(example, to, alteration) {
      examples.write(example, to, alteration);
      for (let frame = 0; frame < frames; frame++) {
        const first = (frame * to.rows + to.row) * width;
        const row = to.inputs.subarray(first, first + width);
        row.set(row.map(scaled));
      }
    },
  };
}
