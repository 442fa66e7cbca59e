import { both, type CaseMakers, clock, numbers, rowShapes, u32 } from './operands.ts';

/** The losses, and where their mean is kept. */
export const lossCases = {
  cross_entropy_forward: (size, from) =>
    rowShapes(size).flatMap(({ rows, width }) =>
      both.map((isWeighted) => ({
        name: `${rows} rows of ${width}, weighted ${isWeighted}`,
        kernel: 'cross_entropy_forward',
        operands: {
          logits: numbers([rows, width], from, -9, 9),
          targets: u32([rows], from.integers(rows, width)),
          losses: numbers([rows], from),
          scale: numbers([rows], from),
          ...(isWeighted && { weights: numbers([rows], from, 0, 2) }),
        },
        attributes: { rows, width },
      })),
    ),
  cross_entropy_backward: (size, from) =>
    rowShapes(size).flatMap(({ rows, width }) =>
      both.map((isWeighted) => ({
        name: `${rows} rows of ${width}, weighted ${isWeighted}`,
        kernel: 'cross_entropy_backward',
        operands: {
          logits: numbers([rows, width], from, -9, 9),
          targets: u32([rows], from.integers(rows, width)),
          scale: numbers([rows], from, 9, 12),
          logitsGradient: numbers([rows, width], from),
          ...(isWeighted && { weights: numbers([rows], from, 0, 2) }),
        },
        attributes: { rows, width },
      })),
    ),
  mean_loss: (rows, from) => [
    {
      name: 'slot 9 of 4 wraps to 1',
      kernel: 'mean_loss',
      operands: {
        losses: numbers([rows], from),
        clock: clock(9, 9, 0),
        history: numbers([4], from),
      },
      attributes: { rows, slots: 4 },
    },
  ],
} satisfies Partial<CaseMakers>;
