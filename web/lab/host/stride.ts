/** The most steps that are trained without a look at the clock. */
export const MAX_STRIDE = 256;

/** How many steps to train at once, so that each stride takes about as long as it should. */
interface Stride {
  /** At least 1, however slow a step is. */
  next(targetMs: number): number;
  /** Takes note of how long a stride took. */
  took(steps: number, ms: number): void;
}

/** Weight of the newest measurement: a step that was slow by chance is soon forgotten. */
const NEWEST = 0.5;

/** Starts with one step and at most doubles: the first ones of a run tell little about the others. */
export function createStride(): Stride {
  let msPerStep: number | undefined;
  let longest = 1;
  return {
    next(targetMs) {
      if (msPerStep === undefined) return 1;
      const fitting = Math.floor(targetMs / Math.max(msPerStep, Number.EPSILON));
      return Math.min(MAX_STRIDE, longest, Math.max(1, fitting));
    },
    took(steps, ms) {
      const measured = ms / steps;
      msPerStep = msPerStep === undefined ? measured : msPerStep + NEWEST * (measured - msPerStep);
      longest = Math.min(MAX_STRIDE, 2 * steps);
    },
  };
}
