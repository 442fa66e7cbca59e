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

/**
 * How often the nearest other examples tell the class of one (Cover & Hart 1967), beside guessing by their frequencies.
 * Labels of other examples leave nothing but guessing, whatever the network.
 */
export function agreementOfNeighbours(
  { rows, width, classes }: LabelledRows,
  reached: number,
): LabelReading {
  const count = classes.length;
  const counts = new Map<number, number>();
  for (const one of classes) counts.set(one, (counts.get(one) ?? 0) + 1);
  const scales = scalesOf(rows, width);
  let right = 0;
  for (let i = 0; i < count; i++) {
    if (voteOf(nearest({ rows, width, classes }, scales, i)) === classes[i]) right++;
  }
  // The commonest class is the best guess; neighbours of no meaning vote for it at most.
  const chance = Math.max(...counts.values()) / count;
  const deviation = Math.sqrt((chance * (1 - chance)) / count);
  return { accuracy: right / count, chance, deviation, reached };
}

/** One over the variance of each column; 0 of one that is always the same. */
function scalesOf(rows: Float32Array, width: number): Float32Array {
  const count = rows.length / width;
  const sums = new Float64Array(width);
  const squares = new Float64Array(width);
  for (const [at, value] of rows.entries()) {
    const column = at % width;
    sums[column] = (sums[column] ?? 0) + value;
    squares[column] = (squares[column] ?? 0) + value * value;
  }
  return Float32Array.from(sums, (sum, column) => {
    const variance = (squares[column] ?? 0) / count - (sum / count) ** 2;
    return variance > 1e-12 ? 1 / variance : 0;
  });
}

/** Classes of the examples next to one, nearest first. */
function nearest(
  { rows, width, classes }: LabelledRows,
  scales: Float32Array,
  one: number,
): readonly number[] {
  const distances = Float64Array.from(classes, (_, other) => {
    let sum = 0;
    for (let column = 0; column < width; column++) {
      const gap = valueAt(rows, one * width + column) - valueAt(rows, other * width + column);
      sum += gap * gap * valueAt(scales, column);
    }
    return sum;
  });
  const others = Array.from(classes.keys()).filter((other) => other !== one);
  others.sort((a, b) => valueAt(distances, a) - valueAt(distances, b));
  return others.slice(0, VOTES).map((other) => valueAt(classes, other));
}

const valueAt = (values: ArrayLike<number>, at: number): number => values[at] ?? 0;

/** The commonest class; of equal ones that of the nearest. */
function voteOf(labels: readonly number[]): number | undefined {
  const votes = (label: number) => labels.filter((other) => other === label).length;
  return labels.toSorted((a, b) => votes(b) - votes(a))[0];
}
