import { type Key, scramble } from '../random/philox.ts';

/** Labelled inputs of one size from any source. */
export interface Examples {
  readonly count: number;
  /** Consecutive frames of an example; 1 for an image. */
  readonly frames: number;
  /** Numbers of a frame. */
  readonly width: number;
  /** One more than the largest label. */
  readonly classes: number;
  label(example: number): number;
  /** Writes an example into a row of a batch, augmented by four random words if they are given. */
  write(example: number, to: BatchRow, alteration?: Uint32Array): void;
}

/** A row of inputs `[frames][rows][width]`. */
interface BatchRow {
  readonly inputs: Float32Array;
  readonly rows: number;
  readonly row: number;
}

/** Examples as inputs of a program, in arrays that the next batch overwrites. */
export interface ExampleBatch {
  readonly inputs: Float32Array;
  /** `[rows]` */
  readonly labels: Uint32Array;
}

const ALTERATION_STREAM = 0x414c5452;

export function emptyBatch({ frames, width }: Examples, rows: number): ExampleBatch {
  return { inputs: new Float32Array(frames * rows * width), labels: new Uint32Array(rows) };
}

/** Sizes of the batches that hold exactly `count` examples: whole ones, and the remainder. */
export function batchSizes(count: number, batch: number): number[] {
  const whole = Math.min(batch, count);
  const rest = count % whole;
  return rest === 0 ? [whole] : [whole, rest];
}

/** All examples in order, in batches of these sizes, each in its own arrays. */
export function* batchesInOrder(
  examples: Examples,
  [whole = 1]: readonly number[],
): Generator<ExampleBatch> {
  for (let first = 0; first < examples.count; first += whole) {
    const batch = emptyBatch(examples, Math.min(whole, examples.count - first));
    fillBatch(
      examples,
      Uint32Array.from(batch.labels, (_, row) => first + row),
      batch,
    );
    yield batch;
  }
}

/** Examples of one size as one set. */
export function joinExamples(sets: readonly [Examples, ...Examples[]]): Examples {
  const [first] = sets;
  const firsts = sets.map((_, i) => sets.slice(0, i).reduce((sum, { count }) => sum + count, 0));
  const find = (example: number) => {
    const place = firsts.findLastIndex((start) => start <= example);
    return { set: sets[place] ?? first, own: example - (firsts[place] ?? 0) };
  };
  return {
    ...first,
    count: sets.reduce((sum, { count }) => sum + count, 0),
    classes: Math.max(...sets.map(({ classes }) => classes)),
    label(example) {
      const { set, own } = find(example);
      return set.label(own);
    },
    write(example, to, alteration) {
      const { set, own } = find(example);
      set.write(own, to, alteration);
    },
  };
}

/** Examples that are the same whenever they are learned from. */
export function unaltered(examples: Examples): Examples {
  return { ...examples, write: (example, to) => examples.write(example, to) };
}

/** Puts examples into a batch, as they are. */
export function fillBatch(
  examples: Examples,
  chosen: ArrayLike<number>,
  { inputs, labels }: ExampleBatch,
): void {
  for (let row = 0; row < labels.length; row++) {
    const example = chosen[row] ?? 0;
    examples.write(example, { inputs, rows: labels.length, row });
    labels[row] = examples.label(example);
  }
}

/** Fills a batch with examples, each augmented by draws from the key, the step and its row. */
export function fillAltered(
  examples: Examples,
  chosen: ArrayLike<number>,
  { inputs, labels }: ExampleBatch,
  { key, step, first = 0 }: { readonly key: Key; readonly step: number; readonly first?: number },
): void {
  const words = new Uint32Array(4);
  for (let row = 0; row < labels.length; row++) {
    const example = chosen[row] ?? 0;
    words[0] = first + row;
    words[1] = step;
    words[2] = 0;
    words[3] = ALTERATION_STREAM;
    scramble(words, key);
    examples.write(example, { inputs, rows: labels.length, row }, words);
    labels[row] = examples.label(example);
  }
}
