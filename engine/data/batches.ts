import { expectCount } from '../checks.ts';
import { EngineError } from '../errors.ts';
import { keyOf } from '../random/philox.ts';
import { shuffledIndices } from '../random/shuffle.ts';
import {
  emptyBatch,
  type ExampleBatch,
  type Examples,
  fillAltered,
  fillBatch,
} from './examples.ts';

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

/** The batches of one epoch, each in arrays of its own. Every example is in one of them. */
export function* batchesOf(
  examples: Examples,
  { batchSize, seed, epoch = 0, isAugmented = false, isWhole = false }: BatchOptions,
): Generator<ExampleBatch> {
  expectCount('batchesOf', 'batchSize', batchSize);
  expectCount('batchesOf', 'epoch', epoch, 0);
  const { count } = examples;
  const key = keyOf(seed ?? 0);
  const order =
    seed === undefined
      ? Uint32Array.from({ length: count }, (_, i) => i)
      : shuffledIndices(count, epoch, key);
  const end = isWhole ? count - (count % batchSize) : count;
  for (let first = 0; first < end; first += batchSize) {
    const chosen = order.subarray(first, Math.min(first + batchSize, end));
    const batch = emptyBatch(examples, chosen.length);
    if (isAugmented) fillAltered(examples, chosen, batch, { key, step: epoch, first });
    else fillBatch(examples, chosen, batch);
    yield batch;
  }
}

/** One example of a stream. */
export interface StreamedExample {
  /** `[frames][width]` */
  readonly x: Float32Array;
  readonly label: number;
}

/**
 * Collects examples that come one at a time, from files or from a network, into batches; no more than one batch is
 * held. Throws EngineError `shape-mismatch` for an example of another length, with its number.
 */
export async function* streamBatches(
  examples: Iterable<StreamedExample> | AsyncIterable<StreamedExample>,
  {
    batchSize,
    frames = 1,
    width,
  }: { readonly batchSize: number; readonly frames?: number; readonly width: number },
): AsyncGenerator<ExampleBatch> {
  expectCount('streamBatches', 'batchSize', batchSize);
  expectCount('streamBatches', 'frames', frames);
  expectCount('streamBatches', 'width', width);
  let waiting: StreamedExample[] = [];
  let seen = 0;
  for await (const example of examples) {
    if (example.x.length !== frames * width) {
      throw new EngineError(
        'shape-mismatch',
        `streamBatches: example ${seen} has ${example.x.length} numbers: expected ${frames} x ${width}`,
      );
    }
    seen++;
    waiting.push(example);
    if (waiting.length < batchSize) continue;
    yield joined(waiting, frames, width);
    waiting = [];
  }
  if (waiting.length > 0) yield joined(waiting, frames, width);
}

function joined(all: readonly StreamedExample[], frames: number, width: number): ExampleBatch {
  const inputs = new Float32Array(frames * all.length * width);
  for (const [row, { x }] of all.entries()) {
    for (let frame = 0; frame < frames; frame++) {
      const numbers = x.subarray(frame * width, (frame + 1) * width);
      inputs.set(numbers, (frame * all.length + row) * width);
    }
  }
  return { inputs, labels: Uint32Array.from(all, ({ label }) => label) };
}
