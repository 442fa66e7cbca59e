import type { OperandData } from '../play.ts';
import type { Source } from '../random.ts';
import { type CaseMakers, f32, numbers, rowShapes, u32 } from './operands.ts';

const settings = { temperature: 2.5, blend: 0.3 };

export const distillationCases = {
  distillation_forward: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'distillation_forward',
      operands: {
        logits: numbers([rows, width], from, -9, 9),
        teacher: probabilities(rows, width, from),
        targets: u32([rows], from.integers(rows, width)),
        losses: numbers([rows], from),
        scale: numbers([rows, 2], from),
      },
      attributes: { rows, width, ...settings },
    })),
  distillation_backward: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'distillation_backward',
      operands: {
        logits: numbers([rows, width], from, -9, 9),
        teacher: probabilities(rows, width, from),
        targets: u32([rows], from.integers(rows, width)),
        scale: numbers([rows, 2], from, 9, 12),
        logitsGradient: numbers([rows, width], from),
      },
      attributes: { rows, width, ...settings },
    })),
  softmax_rows: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'softmax_rows',
      operands: {
        logits: numbers([rows, width], from, -9, 9),
        output: numbers([rows, width], from),
      },
      attributes: { rows, width, temperature: 2.5 },
    })),
} satisfies Partial<CaseMakers>;

/** Rows that add up to 1. */
function probabilities(rows: number, width: number, from: Source): OperandData {
  const values = from.floats(rows * width, 0.01, 1);
  for (let r = 0; r < rows; r++) {
    const row = values.subarray(r * width, (r + 1) * width);
    const sum = row.reduce((a, b) => a + b, 0);
    row.forEach((value, c) => (row[c] = value / sum));
  }
  return f32([rows, width], values);
}
