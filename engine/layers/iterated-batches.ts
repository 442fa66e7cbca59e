import { EngineError } from '../errors.ts';
import type { BatchArrays, Batches, BatchSource, SourceOptions } from './batch-source.ts';
import type { InputForm } from './example-inputs.ts';
import {
  type CheckedExamples,
  checkExamples,
  type ExampleArrays,
  writeExample,
} from './examples.ts';
import { featuresOf } from './layer.ts';
import type { Network } from './network.ts';

type Source = Batches | (() => Batches);

/** Batches that are iterated, collected into those of a program; the first is read at once. */
export async function openIterable(
  source: Source,
  { network, kind }: SourceOptions,
): Promise<BatchSource> {
  let batches = await startBatches(source);
  const read = async (): Promise<CheckedExamples | undefined> => {
    const { value, done } = await batches.next();
    return done === true ? undefined : checkExamples(value, network, kind);
  };
  const first = await read();
  if (!first)
    throw new EngineError('dataset-invalid', 'the data has no batches: expected at least one');
  const { frames, dtype } = first;
  let current: CheckedExamples | undefined = first;
  let at = 0;
  let isFresh = true;
  const take = async (batch: BatchArrays): Promise<number> => {
    let row = 0;
    while (row < batch.rows) {
      if (current && at >= current.count) current = undefined;
      if (!current) {
        current = await read();
        at = 0;
        if (!current) return row;
        expectForm(current, { frames, dtype });
      }
      writeExample(current, at, { ...batch, row });
      at++;
      row++;
    }
    return row;
  };
  return {
    frames,
    dtype,
    batchesPerEpoch: () => undefined,
    async begin(epoch, seen, rows) {
      if (!isFresh) {
        batches = await startBatches(source);
        current = await read();
        at = 0;
        if (!current) throw onlyOnce(epoch);
      }
      isFresh = false;
      const skipped = emptyRows(network, { frames, dtype, rows });
      for (let batch = 0; batch < seen; batch++) await take(skipped);
    },
    take,
  };
}

function emptyRows(
  { input, output, steps }: Network,
  { frames, rows }: InputForm & { readonly rows: number },
): BatchArrays {
  return {
    inputs: new Float32Array(frames * rows * featuresOf(input)),
    targets: new Float32Array(steps * rows * featuresOf(output)),
    rows,
  };
}

async function startBatches(
  source: Source,
): Promise<Iterator<ExampleArrays> | AsyncIterator<ExampleArrays>> {
  const batches = typeof source === 'function' ? source() : source;
  if (typeof batches === 'object' && batches !== null) {
    if (Symbol.asyncIterator in batches) return batches[Symbol.asyncIterator]();
    if (Symbol.iterator in batches) return batches[Symbol.iterator]();
  }
  throw new EngineError(
    'dataset-invalid',
    `the function of the data gives ${String(batches)}: expected batches that can be iterated`,
  );
}

function onlyOnce(epoch: number): EngineError {
  return new EngineError(
    'dataset-invalid',
    `the batches have ended before epoch ${epoch + 1}: expected something that can be iterated once for each epoch, ` +
      'such as a function that starts them anew',
  );
}

function expectForm(given: InputForm, first: InputForm): void {
  if (given.frames === first.frames && given.dtype === first.dtype) return;
  throw new EngineError(
    'shape-mismatch',
    `a batch has ${given.frames} time steps of ${given.dtype}, the first had ${first.frames} of ${first.dtype}: ` +
      'expected batches of one kind',
  );
}
