import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { extent } from './extent.ts';
import { f32 } from './kernel-cases/operands.ts';
import { runKernel, variants } from './play.ts';
import { randomSource } from './random.ts';

// From 2^24 terms on, processors that stand in for a GPU multiply in wider tiles. Whole tiles, ragged
// quads, and whole quads that are no whole tiles.
const RAGGED = { rows: 257, columns: 257, depth: 257 };
const SHAPES = extent(
  [{ rows: 256, columns: 256, depth: 256 }, RAGGED, { rows: 260, columns: 268, depth: 244 }],
  [RAGGED],
);
/** Sums of 257 terms below 1 in float32. */
const CLOSE = 1e-4;

describe('a product in wide tiles', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await variants['webgpu, register tiles']();
  });
  afterAll(() => backend.close());

  describe.each(SHAPES)('of $rows x $depth x $columns', ({ rows, columns, depth }) => {
    const from = randomSource(rows);
    const left = from.floats(rows * depth);
    const right = from.floats(depth * columns);
    const addend = from.floats(rows * columns);
    const bias = from.floats(columns);
    const product = { rows, columns, depth };

    it('adds bias and residual', async () => {
      const { output } = await runKernel(backend, {
        kernel: 'linear_forward',
        operands: {
          input: f32([rows, depth], left),
          weight: f32([depth, columns], right),
          output: f32([rows, columns], addend),
          bias: f32([columns], bias),
          residual: f32([rows, columns], addend),
        },
        attributes: { ...product, residualRows: rows },
      });
      expect(worstError(output!, (i) => bias[i % columns]! + addend[i]!)).toBeLessThan(CLOSE);
    });

    it('takes its right side transposed', async () => {
      const { inputGradient } = await runKernel(backend, {
        kernel: 'linear_backward_input',
        operands: {
          gradient: f32([rows, depth], left),
          weight: f32([columns, depth], transpose(right, columns)),
          inputGradient: f32([rows, columns], addend),
        },
        attributes: { ...product, accumulate: false },
      });
      expect(worstError(inputGradient!, () => 0)).toBeLessThan(CLOSE);
    });

    it('takes its left side transposed, and adds', async () => {
      const { weightGradient } = await runKernel(backend, {
        kernel: 'linear_backward_weight',
        operands: {
          input: f32([depth, rows], transpose(left, depth)),
          gradient: f32([depth, columns], right),
          weightGradient: f32([rows, columns], addend),
        },
        attributes: { ...product, accumulate: true },
      });
      expect(worstError(weightGradient!, (i) => addend[i]!)).toBeLessThan(CLOSE);
    });

    /** The largest difference to the product in float64; each element starts with `start` of its index. */
    function worstError(actual: ArrayLike<number>, start: (index: number) => number): number {
      let worst = actual.length === rows * columns ? 0 : Number.NaN;
      for (let i = 0; i < rows * columns; i++) {
        let sum = start(i);
        const [row, column] = [Math.floor(i / columns), i % columns];
        for (let k = 0; k < depth; k++)
          sum += left[row * depth + k]! * right[k * columns + column]!;
        const error = Math.abs(actual[i]! - sum);
        if (!(error <= worst)) worst = error;
      }
      return worst;
    }
  });
});

/** Of rows of `width` numbers. */
function transpose(matrix: Float32Array, width: number): Float32Array {
  const height = matrix.length / width;
  return matrix.map((_, i) => matrix[(i % height) * width + Math.floor(i / height)]!);
}
