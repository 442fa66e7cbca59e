import { describe, expect, it } from 'vitest';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { runKernel } from './play.ts';
import { randomSource } from './random.ts';
import './matchers.ts';

const MANY = 70_001;
const FEW = 3;
const COLUMNS = 5;

/** Sums of the weight rows of the set bits, the plain way. */
function sums(spikes: Uint32Array, weight: Float32Array, rows: number, depth: number) {
  const words = Math.ceil(depth / 32);
  const output = new Float64Array(rows * COLUMNS);
  for (let r = 0; r < rows; r++) {
    for (let k = 0; k < depth; k++) {
      if (((spikes[r * words + (k >>> 5)]! >>> (k & 31)) & 1) === 0) continue;
      for (let c = 0; c < COLUMNS; c++) output[r * COLUMNS + c]! += weight[k * COLUMNS + c]!;
    }
  }
  return output;
}

// Events are listed as 16-bit places: more rows or inputs than fit must stay distinct.
describe('spikes times weights on WASM', () => {
  it.each([
    { what: 'rows', rows: MANY, depth: FEW },
    { what: 'inputs', rows: FEW, depth: MANY },
  ])('are right for more than 65,536 $what', async ({ rows, depth }) => {
    const from = randomSource(rows);
    const spikes = from.spikes(rows, depth, 0.02);
    const weight = from.floats(depth * COLUMNS);
    const backend = await openWasmBackend({ threads: 2, sharedFrom: 0 });

    const { output } = await runKernel(backend, {
      kernel: 'spike_linear_forward',
      operands: {
        spikes: { dtype: 'bits', shape: [rows, depth], data: spikes },
        weight: { dtype: 'f32', shape: [depth, COLUMNS], data: weight },
        output: {
          dtype: 'f32',
          shape: [rows, COLUMNS],
          data: new Float32Array(rows * COLUMNS),
        },
      },
      attributes: { rows, columns: COLUMNS, depth, residualRows: 1, accumulate: false },
    });

    expect(output).toMatchNumbers(sums(spikes, weight, rows, depth), 2e-5);
  });
});
