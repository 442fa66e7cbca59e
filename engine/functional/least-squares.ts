import { EngineError } from '../errors.ts';

/** A matrix `[samples, width]`, row by row. */
interface Samples {
  readonly values: Float32Array;
  readonly width: number;
}

interface LinearFit {
  /** `[inputs, outputs]` */
  readonly solution: Float32Array;
  /** `[outputs]` */
  readonly offset: Float32Array;
}

/**
 * Ridge regression with an offset that is not penalised: the solution W of
 * `min |(X - mean X) W - (Y - mean Y)|^2 + samples ridge |W|^2`, in float64 by Cholesky.
 */
export function leastSquares(inputs: Samples, outputs: Samples, ridge: number): LinearFit {
  const [n, m] = [inputs.width, outputs.width];
  const samples = inputs.values.length / n;
  const [x, y] = [centred(inputs), centred(outputs)];
  const gram = new Float64Array(n * n);
  const right = new Float64Array(n * m);
  for (let s = 0; s < samples; s++) {
    const row = x.values.subarray(s * n, (s + 1) * n);
    const answer = y.values.subarray(s * m, (s + 1) * m);
    row.forEach((a, i) => {
      for (let j = 0; j <= i; j++) add(gram, i * n + j, a * (row[j] ?? 0));
      for (let c = 0; c < m; c++) add(right, i * m + c, a * (answer[c] ?? 0));
    });
  }
  for (let i = 0; i < n; i++) add(gram, i * n + i, samples * ridge);
  factorise(gram, n);
  for (let c = 0; c < m; c++) solveColumn(gram, n, right, { column: c, columns: m });
  const offset = Float32Array.from(y.mean, (mean, c) =>
    x.mean.reduce((rest, value, i) => rest - value * (right[i * m + c] ?? 0), mean),
  );
  return { solution: Float32Array.from(right), offset };
}

function add(array: Float64Array, index: number, value: number): void {
  array[index] = (array[index] ?? 0) + value;
}

function centred({ values, width }: Samples): { values: Float64Array; mean: Float64Array } {
  const samples = values.length / width;
  const mean = new Float64Array(width);
  for (const [i, value] of values.entries()) add(mean, i % width, value / samples);
  return { values: Float64Array.from(values, (value, i) => value - (mean[i % width] ?? 0)), mean };
}

/** Cholesky in place: the lower triangle L of `matrix = L L^T`. */
function factorise(matrix: Float64Array, n: number): void {
  const at = (i: number, j: number) => matrix[i * n + j] ?? 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = at(i, j);
      for (let k = 0; k < j; k++) sum -= at(i, k) * at(j, k);
      if (i !== j) matrix[i * n + j] = sum / at(j, j);
      else if (sum > 0) matrix[i * n + i] = Math.sqrt(sum);
      else {
        throw new EngineError(
          'invalid-setting',
          `leastSquares: input ${i} depends on the others: expected a larger ridge or finite inputs`,
        );
      }
    }
  }
}

/** Solves `L L^T w = b` for one column of `right`, in place. */
function solveColumn(
  lower: Float64Array,
  n: number,
  right: Float64Array,
  { column, columns }: { readonly column: number; readonly columns: number },
): void {
  const place = (i: number) => i * columns + column;
  const value = (i: number) => right[place(i)] ?? 0;
  const at = (i: number, j: number) => lower[i * n + j] ?? 0;
  for (let i = 0; i < n; i++) {
    let sum = value(i);
    for (let k = 0; k < i; k++) sum -= at(i, k) * value(k);
    right[place(i)] = sum / at(i, i);
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = value(i);
    for (let k = i + 1; k < n; k++) sum -= at(k, i) * value(k);
    right[place(i)] = sum / at(i, i);
  }
}
