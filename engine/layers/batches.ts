import { EngineError } from '../errors.ts';
import type { TargetKind } from '../losses/loss.ts';
import { keyOf } from '../random/philox.ts';
import { shuffledIndices } from '../random/shuffle.ts';
import type { InputForm } from './example-inputs.ts';
import { type CheckedExamples, checkExamples, type Examples, writeExample } from './examples.ts';
import { featuresOf } from './layer.ts';
import type { Network } from './network.ts';

type Batches = Iterable<Examples> | AsyncIterable<Examples>;

/**
 * Examples to learn from or to be judged on: arrays, which are shuffled anew for every epoch; or batches of any
 * sizes, taken in their order. An epoch begins by iterating anew, or by calling the function.
 */
export type Data = Examples | Batches | (() => Batches);

/** The arrays of a program's inputs, which the next batch overwrites. */
export interface BatchArrays {
  readonly inputs: Float32Array | Uint32Array;
  /** Empty where the loss takes none. */
  readonly targets: Float32Array | Uint32Array;
  readonly rows: number;
}

/** Where the batches of a run come from. */
export interface BatchSource extends InputForm {
  /** Whole batches of an epoch, where that is known beforehand. */
  batchesPerEpoch(rows: number): number | undefined;
  /** Begins an epoch behind so many batches that were seen already. */
  begin(epoch: number, seen: number, rows: number): void | Promise<void>;
  /** Fills the rows and says how many: fewer than all, or none, at the end of the epoch. */
  take(batch: BatchArrays): number | Promise<number>;
}

interface SourceOptions {
  readonly network: Network;
  readonly kind: TargetKind;
  /** Of the order of arrays; they are in their own order where it is left out. */
  readonly seed: number | undefined;
}

/** Checks data against a network; of batches the first is read. Throws EngineError as `checkExamples`. */
export async function openBatches(data: Data, options: SourceOptions): Promise<BatchSource> {
  if (typeof data === 'function') return openIterable(data, options);
  if (typeof data === 'object' && data !== null) {
    if (isIterable(data)) return openIterable(data, options);
    if ('x' in data && 'y' in data) {
      return arraySource(checkExamples(data, options.network, options.kind), options.seed);
    }
  }
  throw new EngineError(
    'dataset-invalid',
    'the data is no { x, y } and cannot be iterated: expected arrays, or batches of them',
  );
}

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

type Source = Exclude<Data, Examples>;

async function openIterable(
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

async function startBatches(source: Source): Promise<Iterator<Examples> | AsyncIterator<Examples>> {
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
