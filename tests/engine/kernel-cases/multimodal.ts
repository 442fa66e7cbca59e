import { both, type CaseMakers, clock, numbers } from './operands.ts';

/** Rows that lie in longer sequences, at either end of the copy. */
export const multimodalCases = {
  copy_rows: (size, from) =>
    [
      { count: size, width: 3 },
      { count: 2, width: size },
    ].flatMap(({ count, width }) =>
      both.flatMap((accumulate) =>
        [1, 2].map((sourceSteps) => ({
          name: `${count} rows of ${width} from ${sourceSteps} steps, accumulate ${accumulate}`,
          kernel: 'copy_rows',
          operands: {
            source: numbers([sourceSteps, 3 * (count + 1), width], from),
            target: numbers([2, 3 * (count + 4), width], from),
          },
          attributes: {
            ...{ steps: 2, sourceSteps, batch: 3, copiedRows: count, width, accumulate },
            ...{ sourceRows: count + 1, sourceFirst: 1, targetRows: count + 4, targetFirst: 2 },
          },
        })),
      ),
    ),
  dropout: (count, from) =>
    both.map((accumulate) => ({
      name: `accumulate ${accumulate}`,
      kernel: 'dropout',
      operands: {
        source: numbers([count], from),
        clock: clock(5, 0, 1234567),
        target: numbers([count], from),
      },
      attributes: { count, share: 0.3, stream: 7, accumulate },
    })),
} satisfies Partial<CaseMakers>;
