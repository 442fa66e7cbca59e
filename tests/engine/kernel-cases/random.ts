import { type CaseMakers, clock, emptyBits, numbers, rowShapes } from './operands.ts';

/** Draws that equal the reference bit for bit. */
export const randomCases = {
  random_uniform: (count, from) => [
    {
      name: 'uniform',
      kernel: 'random_uniform',
      operands: { clock: clock(5, 0, 1234567), output: numbers([count], from) },
      attributes: { count, stream: 3 },
    },
  ],
  random_spikes: (size, from) =>
    rowShapes(size).map(({ rows, width }, i) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'random_spikes',
      operands: {
        probabilities: numbers([i === 0 ? rows : 1, width], from, 0, 1),
        clock: clock(5, 0, 77),
        spikes: emptyBits([rows, width]),
      },
      attributes: { rows, width, stream: 1, probabilityRows: i === 0 ? rows : 1 },
    })),
} satisfies Partial<CaseMakers>;
