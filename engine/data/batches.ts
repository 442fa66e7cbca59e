import { expectCount } from '../checks.ts';
import { EngineError } from '../errors.ts';
import { keyOf } from '../random/philox.ts';
import { shuffledIndices } from '../random/shuffle.ts';
import { type Examples, fillAltered, fillBatch } from './examples.ts';

/** How examples become batches. The same seed and epoch give the same batches. */
export interface BatchOptions {
  readonly batchSize: number;
  /** Examples are shuffled by it anew in every epoch; in their order where it is left out. */
  readonly seed?: number;
  /** Number of the epoch, from 0. */
  readonly epoch?: number;
  /** Whether examples are augmented by draws from seed, epoch and place. */
  readonly isAugmented?: boolean;
  /** Whether examples that fill no batch are left out; otherwise the last batch is smaller. */
  readonly isWhole?: boolean;
}

/** Examples of a step with their classes, as `fit` takes them. */
export interface Batch {
  /** `[rows][frames][width]` */
  readonly x: Float32Array;
  /** `[rows]` */
  readonly y: Uint32Array;
}

/** The batches of one epoch, each in arrays of its own. Every example is in one of them. */
export function* batchesOf(
  examples: Examples,
  { batchSize, seed, epoch = 0, isAugmented = false, isWhole = false }: BatchOptions,
): Generator<Batch> {
  expectCount('batchesOf', 'batchSize', batchSize);
  expectCount('batchesOf', 'epoch', epoch, 0);
  const { count, frames, width } = examples;
  const key = keyOf(seed ?? 0);
  const order =
    seed === undefined
      ? Uint32Array.from({ length: count }, (_, i) => i)
      : shuffledIndices(count, epoch, key);
  const end = isWhole ? count - (count % batchSize) : count;
  for (let first = 0; first < end; first += batchSize) {
    const rows = Math.min(batchSize, end - first);
    const batch = { x: new Float32Array(rows * frames * width), y: new Uint32Array(rows) };
    for (let row = 0; row < rows; row++) {
      const chosen = order.subarray(first + row, first + row + 1);
      const one = {
        inputs: batch.x.subarray(row * frames * width, (row + 1) * frames * width),
        labels: batch.y.subarray(row, row + 1),
      };
      if (isAugmented) fillAltered(examples, chosen, one, { key, step: epoch, first: first + row });
      else fillBatch(examples, chosen, one);
    }
    yield batch;
  }
}

/** One example of a stream. */
export interface StreamedExample {
  /** `[frames][width]` */
  readonly x: Float32Array;
  /** Its class. */
  readonly y: number;
}

/**
 * Collects examples that come one at a time, from files or from a network, into batches; no more than one batch is
 * held. Throws EngineError `shape-mismatch` for an example of another length than the first, with its number.
 */
export async function* streamBatches(
  examples: Iterable<StreamedExample> | AsyncIterable<StreamedExample>,
  { batchSize }: { readonly batchSize: number },
): AsyncGenerator<Batch> {
  expectCount('streamBatches', 'batchSize', batchSize);
  let waiting: StreamedExample[] = [];
  let [seen, length] = [0, 0];
  for await (const example of examples) {
    if (seen === 0) length = example.x.length;
    if (example.x.length !== length) {
      const found = `example ${seen} has ${example.x.length} numbers`;
      throw new EngineError('shape-mismatch', `streamBatches: ${found}: expected ${length}`);
    }
    seen++;
    waiting.push(example);
    if (waiting.length < batchSize) continue;
    yield joined(waiting, length);
    waiting = [];
  }
  if (waiting.length > 0) yield joined(waiting, length);
}

function joined(all: readonly StreamedExample[], length: number): Batch {
  const batch = { x: new Float32Array(all.length * length), y: new Uint32Array(all.length) };
  for (const [row, { x, y }] of all.entries()) {
    batch.x.set(x, row * length);
    batch.y[row] = y;
  }
  return batch;
}
