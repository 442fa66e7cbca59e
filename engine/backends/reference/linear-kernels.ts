import { wordsPerRow } from '../../graph/tensor.ts';
import { at, bitAt, type ReferenceKernels, setBit } from './views.ts';

interface Product {
  readonly rows: number;
  readonly columns: number;
  readonly depth: number;
}

interface Epilogue {
  readonly bias: Float64Array | undefined;
  readonly residual: Float64Array | undefined;
  readonly residualRows: number;
}

/** `output[r, c] = start + sum_k left(r, k) right(k, c)`. */
function multiply(
  output: Float64Array,
  { rows, columns, depth }: Product,
  start: (row: number, column: number) => number,
  term: (row: number, column: number, k: number) => number,
): void {
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      let sum = start(r, c);
      for (let k = 0; k < depth; k++) sum += term(r, c, k);
      output[r * columns + c] = sum;
    }
  }
}

function added(columns: number, { bias, residual, residualRows }: Epilogue) {
  return (r: number, c: number) =>
    (bias ? at(bias, c) : 0) + (residual ? at(residual, (r % residualRows) * columns + c) : 0);
}

function kept(output: Float64Array, columns: number, accumulate: boolean) {
  return (r: number, c: number) => (accumulate ? at(output, r * columns + c) : 0);
}

/** `inputGradient = gradient weight^T`. */
function backwardInput(
  f: (name: 'gradient' | 'weight' | 'inputGradient') => Float64Array,
  attributes: Product & { readonly accumulate: boolean },
): void {
  const { columns, depth, accumulate } = attributes;
  const gradient = f('gradient');
  const weight = f('weight');
  const output = f('inputGradient');
  multiply(
    output,
    attributes,
    kept(output, columns, accumulate),
    (r, c, k) => at(gradient, r * depth + k) * at(weight, c * depth + k),
  );
}

export const linearKernels = {
  linear_forward: ({ f, optional }, attributes) => {
    const { columns, depth, residualRows } = attributes;
    const input = f('input');
    const weight = f('weight');
    const epilogue = { bias: optional('bias'), residual: optional('residual'), residualRows };
    multiply(
      f('output'),
      attributes,
      added(columns, epilogue),
      (r, c, k) => at(input, r * depth + k) * at(weight, k * columns + c),
    );
  },
  linear_backward_input: ({ f }, attributes) => backwardInput(f, attributes),
  linear_backward_spikes: ({ f }, attributes) => backwardInput(f, attributes),
  linear_backward_weight: ({ f }, attributes) => {
    const { rows, columns, accumulate } = attributes;
    const input = f('input');
    const gradient = f('gradient');
    const output = f('weightGradient');
    multiply(
      output,
      attributes,
      kept(output, columns, accumulate),
      (r, c, k) => at(input, k * rows + r) * at(gradient, k * columns + c),
    );
  },
  spike_linear_forward: ({ f, u, optional }, attributes) => {
    const { columns, depth, residualRows, accumulate } = attributes;
    const spikes = u('spikes');
    const weight = f('weight');
    const output = f('output');
    const words = wordsPerRow(depth);
    const keep = kept(output, columns, accumulate);
    const epilogue = { bias: optional('bias'), residual: optional('residual'), residualRows };
    const add = added(columns, epilogue);
    multiply(
      output,
      attributes,
      (r, c) => keep(r, c) + add(r, c),
      (r, c, k) => bitAt(spikes, words, r, k) * at(weight, k * columns + c),
    );
  },
  spike_linear_int8: ({ f, u, optional }, attributes) => {
    const { rows, columns, depth, residualRows } = attributes;
    const spikes = u('spikes');
    const bytes = new Int8Array(Uint32Array.from(u('weight')).buffer);
    const stride = 4 * Math.ceil(columns / 4);
    const words = wordsPerRow(depth);
    const output = f('output');
    const epilogue = { bias: optional('bias'), residual: optional('residual'), residualRows };
    const add = added(columns, epilogue);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        let sum = 0;
        for (let k = 0; k < depth; k++) {
          sum += bitAt(spikes, words, r, k) * (bytes[k * stride + c] ?? Number.NaN);
        }
        output[r * columns + c] = sum * at(f('scale'), c) + add(r, c);
      }
    }
  },
  transpose_bits: ({ u }, { rows, width }) => {
    const spikes = u('spikes');
    const transposed = u('transposed').fill(0);
    for (let r = 0; r < rows; r++) {
      for (let n = 0; n < width; n++) {
        if (bitAt(spikes, wordsPerRow(width), r, n)) setBit(transposed, wordsPerRow(rows), n, r);
      }
    }
  },
} satisfies Partial<ReferenceKernels>;
