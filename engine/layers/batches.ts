import { type Examples, fillAltered, fillBatch } from '../data/examples.ts';
import { EngineError } from '../errors.ts';
import { keyOf } from '../random/philox.ts';
import { shuffledIndices } from '../random/shuffle.ts';
import type { Batches, BatchSource, Data, SourceOptions } from './batch-source.ts';
import { type CheckedExamples, checkExamples, writeExample } from './examples.ts';
import { openIterable } from './iterated-batches.ts';
import { featuresOf } from './layer.ts';

/** Checks data against a network; of batches the first is read. Throws EngineError as `checkExamples`. */
export async function openBatches(data: Data, options: SourceOptions): Promise<BatchSource> {
  if (typeof data === 'function') return openIterable(data, options);
  if (typeof data === 'object' && data !== null) {
    if (isIterable(data)) return openIterable(data, options);
    if (isExamples(data)) return exampleSource(data, options);
    if ('x' in data && 'y' in data) {
      return arraySource(checkExamples(data, options.network, options.kind), options.seed);
    }
  }
  throw new EngineError(
    'dataset-invalid',
    'the data is no { x, y } and cannot be iterated: expected arrays, or batches of them',
  );
}

const isExamples = (data: object): data is Examples => 'write' in data && 'label' in data;

function isIterable(data: object): data is Batches {
  return Symbol.iterator in data || Symbol.asyncIterator in data;
}

function arraySource(examples: CheckedExamples, seed: number | undefined): BatchSource {
  const { count, frames, dtype } = examples;
  let order: Uint32Array | undefined;
  let at = 0;
  return {
    frames,
    dtype,
    batchesPerEpoch: (rows) => Math.floor(count / rows),
    begin(epoch, seen, rows) {
      order = seed === undefined ? undefined : shuffledIndices(count, epoch, keyOf(seed));
      at = seen * rows;
    },
    take(batch) {
      const filled = Math.min(batch.rows, count - at);
      for (let row = 0; row < filled; row++) {
        writeExample(examples, order?.[at + row] ?? at + row, { ...batch, row });
      }
      at += filled;
      return filled;
    },
  };
}

function exampleSource(examples: Examples, { network, kind, seed }: SourceOptions): BatchSource {
  const { count, frames, width, classes } = examples;
  const [features, outputs] = [featuresOf(network.input), featuresOf(network.output)];
  const fits = width === features && [1, network.steps].includes(frames) && classes <= outputs;
  if (!fits || count === 0 || kind !== 'classes') {
    throw new EngineError(
      'shape-mismatch',
      `there are ${count} examples of ${frames} x ${width} numbers in ${classes} classes: the network takes 1 or ` +
        `${network.steps} x ${features} and has ${outputs} outputs, the loss takes ${kind}`,
    );
  }
  const key = keyOf(seed ?? 0);
  let order: Uint32Array = Uint32Array.from({ length: count }, (_, i) => i);
  let [at, step] = [0, 0];
  return {
    frames,
    dtype: 'f32',
    batchesPerEpoch: (rows) => Math.floor(count / rows),
    begin(epoch, seen, rows) {
      if (seed !== undefined) order = shuffledIndices(count, epoch, key);
      at = seen * rows;
      step = epoch * Math.floor(count / rows) + seen;
    },
    take({ inputs, targets, rows }) {
      const filled = Math.min(rows, count - at);
      const chosen = order.subarray(at, at + filled);
      // Inputs of f32 and classes as u32: `dtype` and `kind` say so.
      const batch = { inputs: inputs as Float32Array, labels: targets as Uint32Array };
      if (seed === undefined) fillBatch(examples, chosen, batch);
      else fillAltered(examples, chosen, batch, { key, step });
      checkWritten(batch.inputs, chosen, { width, rows });
      at += filled;
      step++;
      return filled;
    },
  };
}

/** Arrays are checked once; examples of one's own, and transforms, write what they like. */
function checkWritten(
  inputs: Float32Array,
  chosen: Uint32Array,
  { width, rows }: { readonly width: number; readonly rows: number },
): void {
  const at = inputs.findIndex((number) => !Number.isFinite(number));
  if (at < 0) return;
  const example = chosen[Math.floor(at / width) % rows];
  throw new EngineError(
    'signal-invalid',
    `example ${example} is ${inputs[at]} at element ${at % width}, as its data or transforms wrote it: expected finite numbers`,
  );
}
