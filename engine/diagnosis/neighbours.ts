import type { LabelReading } from './observations.ts';

/** Examples as rows of numbers, with the class of each. */
export interface LabelledRows {
  /** `[count, width]` */
  readonly rows: Float32Array;
  readonly width: number;
  readonly classes: Uint32Array;
}

/** Neighbours that vote on the class of an example. */
const VOTES = 5;
/** Examples and products of a comparison at most: a tenth of a second. */
const MAX_EXAMPLES = 512;
const MAX_PRODUCTS = 1 << 25;

/** Examples of a width that are compared with one another. */
export const comparedExamples = (width: number): number =>
  Math.min(MAX_EXAMPLES, Math.ceil(Math.sqrt(MAX_PRODUCTS / width)));

/**
 * How often the nearest other examples tell the class of one (Cover & Hart 1967), beside guessing by their frequencies.
 * Labels of other examples leave nothing but guessing, whatever the network. Looks at `comparedExamples` of them.
 */
export function agreementOfNeighbours(given: LabelledRows, reached: number): LabelReading {
  const { width } = given;
  const classes = given.classes.subarray(0, comparedExamples(width));
  const count = classes.length;
  const rows = standardised(given.rows.subarray(0, count * width), width);
  const counts = new Map<number, number>();
  for (const one of classes) counts.set(one, (counts.get(one) ?? 0) + 1);
  let right = 0;
  for (let i = 0; i < count; i++) {
    const [vote] = byVotes(nearest(rows, width, i).map((other) => classes[other] ?? 0));
    if (vote === classes[i]) right++;
  }
  // The commonest class is the best guess; neighbours of no meaning vote for it at most.
  const chance = Math.max(...counts.values()) / count;
  const deviation = Math.sqrt((chance * (1 - chance)) / count);
  return { accuracy: right / count, chance, deviation, reached };
}

/** Every column with the deviation 1, or 0 where it is always the same. */
function standardised(rows: Float32Array, width: number): Float32Array {
  const count = rows.length / width;
  const sums = new Float64Array(width);
  const squares = new Float64Array(width);
  for (const [at, value] of rows.entries()) {
    const column = at % width;
    sums[column] = (sums[column] ?? 0) + value;
    squares[column] = (squares[column] ?? 0) + value * value;
  }
  const scales = sums.map((sum, column) => {
    const mean = sum / count;
    const square = (squares[column] ?? 0) / count;
    const variance = square - mean * mean;
    return variance > 1e-9 * square ? 1 / Math.sqrt(variance) : 0;
  });
  return rows.map((value, at) => value * (scales[at % width] ?? 0));
}

/** The examples next to one, nearest first. */
function nearest(rows: Float32Array, width: number, one: number): readonly number[] {
  const own = rows.subarray(one * width, (one + 1) * width);
  const distances = Float64Array.from({ length: rows.length / width }, (_, other) =>
    other === one ? Infinity : distance(own, rows, other * width),
  );
  const others = Array.from(distances.keys());
  others.sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0));
  return others.slice(0, Math.min(VOTES, others.length - 1));
}

function distance(own: Float32Array, rows: Float32Array, first: number): number {
  let sum = 0;
  for (let column = 0; column < own.length; column++) {
    const gap = (own[column] as number) - (rows[first + column] as number);
    sum += gap * gap;
  }
  return sum;
}

/** The commonest first; of equal ones that of the nearest. */
function byVotes(labels: readonly number[]): readonly number[] {
  const votes = (label: number) => labels.filter((other) => other === label).length;
  return labels.toSorted((a, b) => votes(b) - votes(a));
}
