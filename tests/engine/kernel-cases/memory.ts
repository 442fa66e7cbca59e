import { both, type CaseMakers, numbers } from './operands.ts';

/** Moving and adding up. */
export const memoryCases = {
  fill: (count, from) => [
    {
      name: 'fill',
      kernel: 'fill',
      operands: { target: numbers([count], from) },
      attributes: { count, value: 0.5 },
    },
  ],
  add: (count, from) => [
    {
      name: 'add',
      kernel: 'add',
      operands: { addend: numbers([count], from), target: numbers([count], from) },
      attributes: { count },
    },
  ],
  copy: (count, from) => [
    {
      name: 'copy',
      kernel: 'copy',
      operands: { source: numbers([count], from), target: numbers([count], from) },
      attributes: { count },
    },
  ],
  sum_steps: (count, from) =>
    both.map((accumulate) => ({
      name: `accumulate ${accumulate}`,
      kernel: 'sum_steps',
      operands: { source: numbers([3, count], from), target: numbers([count], from) },
      attributes: { count, steps: 3, accumulate },
    })),
  reduce_rows: (width, from) =>
    both.map((accumulate) => ({
      name: `accumulate ${accumulate}`,
      kernel: 'reduce_rows',
      operands: { partial: numbers([7, width], from), total: numbers([width], from) },
      attributes: { rows: 7, width, accumulate },
    })),
  column_sum: (size, from) =>
    [
      { rows: size, width: 3 },
      { rows: 5, width: size },
    ].map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'column_sum',
      operands: {
        source: numbers([rows, width], from),
        partial: numbers([Math.ceil(rows / 64), width], from),
      },
      attributes: { rows, width, chunk: 64 },
    })),
  hold_steps_forward: (count, from) =>
    [1, 3].map((hold) => ({
      name: `5 steps of ${count}, each ${hold} times`,
      kernel: 'hold_steps_forward',
      operands: {
        source: numbers([5, 1, count], from),
        target: numbers([5 * hold, 1, count], from),
      },
      attributes: { count, steps: 5, hold },
    })),
  hold_steps_backward: (count, from) =>
    both.map((accumulate) => ({
      name: `5 steps of ${count}, added ${accumulate}`,
      kernel: 'hold_steps_backward',
      operands: {
        gradient: numbers([15, 1, count], from),
        target: numbers([5, 1, count], from),
      },
      attributes: { count, steps: 5, hold: 3, accumulate },
    })),
} satisfies Partial<CaseMakers>;
