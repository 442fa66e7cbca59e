import type { StepRange } from './spike-buffer.ts';

/** Scroll with every step, or turn pages: what people get who asked for less motion. */
export type Motion = 'scroll' | 'page';

/** Metadata of a buffer of time steps. */
interface Steps {
  readonly steps: number;
  readonly oldest: number;
}

/**
 * The steps in sight when the newest `columns` fit. Scrolling shows all there are up to the newest;
 * paging only whole pages, and of the first page whole quarters, so that nothing moves in between.
 */
export function shownSteps(buffer: Steps, columns: number, motion: Motion): StepRange {
  const until = motion === 'scroll' ? buffer.steps : pageEnd(buffer.steps, columns);
  return {
    from: Math.max(buffer.oldest, until - columns),
    to: Math.max(buffer.oldest, until),
  };
}

function pageEnd(steps: number, columns: number): number {
  const unit = steps < columns ? Math.max(1, Math.floor(columns / 4)) : columns;
  return Math.floor(steps / unit) * unit;
}
