import { equations } from '../kernel-language/written-kernel.ts';
import { kernelsOf } from './table.ts';

/** Lines of the parameter block, and words of each. */
const LINES = { lines: 'int', words: 'int' } as const;
const OVER_LINES = { over: { line: 'lines', place: 'words' } } as const;
const BLOCK = 'f32[lines, words]';

/** Averages of a parameter block over training. Apart from the steps of optimizers, which runs of families do without. */
export const averageKernels = kernelsOf('average', {
  /**
   * The average moves to the parameters by `share`. Where that is 0, by `1 / (span (taken + 1))`: it looks back over that
   * fraction of all that were taken in, and is the mean of them where it is 1.
   */
  average_weights: {
    operands: { parameters: 'read', average: 'update', taken: 'read' },
    attributes: { ...LINES, share: 'float', span: 'float' },
    write: equations({
      ...OVER_LINES,
      shapes: { parameters: BLOCK, average: BLOCK, taken: 'f32[1]' },
      equations: `
        part = share > 0 ? share : min(1, 1 / (span * (taken + 1)))
        moved = average + part * (parameters - average)
        average = taken == 0 ? parameters : moved`,
    }),
  },
  /** Parameters and their average change places. */
  exchange_weights: {
    operands: { parameters: 'update', average: 'update' },
    attributes: LINES,
    write: equations({
      ...OVER_LINES,
      shapes: { parameters: BLOCK, average: BLOCK },
      equations: `
        kept = parameters
        shown = average
        parameters = shown
        average = kept`,
    }),
  },
  /** Counts the averages that were taken. */
  count_average: {
    operands: { taken: 'update' },
    attributes: { count: 'int' },
    write: equations({
      over: { element: 'count' },
      shapes: { taken: 'f32[count]' },
      equations: 'taken = taken + 1',
    }),
  },
});
