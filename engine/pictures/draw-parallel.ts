import { type ParallelAxis, paintParallel, parallelPlot } from './paint-parallel.ts';
import { onSurface, type PictureOptions, type PictureTarget, refused } from './picture.ts';

/** Which line of parallel coordinates is the best, and which end of the last axis is good. */
interface ParallelOptions extends PictureOptions {
  /** `lowest` by default. */
  readonly goal?: 'lowest' | 'highest';
  readonly best?: number | undefined;
}

/**
 * Draws parallel coordinates: an axis for each quantity and a line for each set of values, the stronger the better
 * its value on the last axis. Throws EngineError `invalid-setting` for fewer than two axes, and for axes with unequal
 * numbers of values.
 */
export function drawParallel(
  target: PictureTarget,
  axes: readonly ParallelAxis[],
  { goal = 'lowest', best, ...options }: ParallelOptions = {},
): void {
  if (axes.length < 2) throw refused('drawParallel', `${axes.length} axes: expected at least 2`);
  const counts = axes.map(({ values }) => values.length);
  const odd = axes.find(({ values }) => values.length !== counts[0]);
  if (odd) {
    const { name, values } = odd;
    const what = `axis "${name}" has ${values.length} values: expected ${counts[0]}, as the first one has`;
    throw refused('drawParallel', what);
  }
  onSurface('drawParallel', target, options, (surface) =>
    paintParallel(surface, parallelPlot(axes), { goal, best }),
  );
}
