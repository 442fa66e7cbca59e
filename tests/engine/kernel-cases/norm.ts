import type { Source } from '../random.ts';
import { both, type Case, type CaseMakers, numbers, rowShapes } from './operands.ts';

/** Norms with both of their backward passes. */
export const normCases = {
  layer_norm_forward: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'layer_norm_forward',
      operands: {
        input: numbers([rows, width], from, -3, 5),
        gain: numbers([width], from),
        offset: numbers([width], from),
        output: numbers([rows, width], from),
        statistics: numbers([rows, 2], from),
      },
      attributes: { rows, width, epsilon: 1e-5 },
    })),
  layer_norm_backward_input: (size, from) =>
    normBackward('layer_norm_backward_input', 2, size, from),
  layer_norm_backward_parameters: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'layer_norm_backward_parameters',
      operands: {
        input: numbers([rows, width], from),
        statistics: numbers([rows, 2], from),
        gradient: numbers([rows, width], from),
        gainPartial: numbers([Math.ceil(rows / 64), width], from),
        offsetPartial: numbers([Math.ceil(rows / 64), width], from),
      },
      attributes: { rows, width, chunk: 64 },
    })),
  rms_norm_forward: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'rms_norm_forward',
      operands: {
        input: numbers([rows, width], from, -3, 5),
        gain: numbers([width], from),
        output: numbers([rows, width], from),
        statistics: numbers([rows], from),
      },
      attributes: { rows, width, epsilon: 1e-6 },
    })),
  rms_norm_backward_input: (size, from) => normBackward('rms_norm_backward_input', 1, size, from),
  rms_norm_backward_parameters: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'rms_norm_backward_parameters',
      operands: {
        input: numbers([rows, width], from),
        statistics: numbers([rows], from),
        gradient: numbers([rows, width], from),
        gainPartial: numbers([Math.ceil(rows / 64), width], from),
      },
      attributes: { rows, width, chunk: 64 },
    })),
} satisfies Partial<CaseMakers>;

function normBackward<K extends 'layer_norm_backward_input' | 'rms_norm_backward_input'>(
  kernel: K,
  columns: number,
  size: number,
  from: Source,
): Case<K>[] {
  return rowShapes(size).flatMap(({ rows, width }) =>
    both.map((accumulate) => {
      const made = {
        name: `${rows} rows of ${width}, accumulate ${accumulate}`,
        kernel,
        operands: {
          input: numbers([rows, width], from),
          gain: numbers([width], from),
          statistics: numbers(columns === 1 ? [rows] : [rows, columns], from),
          gradient: numbers([rows, width], from),
          inputGradient: numbers([rows, width], from),
        },
        attributes: { rows, width, accumulate },
      };
      return made as unknown as Case<K>;
    }),
  );
}
