import {
  diagnoseRun,
  EngineError,
  type TrainingRun,
  type Validation,
} from '../../../engine/index.ts';
import type { DiagnosisFacts } from '../protocol.ts';

/** A run whose curve is kept for a diagnosis. */
export interface WatchedRun {
  /** Stands for the run in all that trains it. */
  readonly run: TrainingRun;
  /** Plays nothing: reads parameters and gradients of the last step. In turn with everything else on the device. */
  diagnose(): Promise<DiagnosisFacts>;
  /** That of a loss that diverged, taken before the device was given back. */
  last(): DiagnosisFacts | undefined;
}

/** @param isContinued whether it began with trained weights: its losses say nothing about its rate then */
export function watchRun(run: TrainingRun, isContinued: boolean): WatchedRun {
  const losses: number[] = [];
  const norms: number[] = [];
  let validation: Validation | undefined;
  let last: DiagnosisFacts | undefined;

  async function diagnose(hasDiverged = false): Promise<DiagnosisFacts> {
    const curve = isContinued && !hasDiverged ? undefined : { losses, norms };
    const { findings, observations } = await diagnoseRun({ run, curve, validation });
    const weights = observations.weights.map(({ name, gradient = 0 }) => ({ name, gradient }));
    last = { step: run.step(), findings, weights };
    return last;
  }

  async function advance(count: number) {
    try {
      const progress = await run.advance(count);
      losses.push(...progress.losses);
      norms.push(...progress.norms);
      return progress;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'diverged') {
        losses.push(Number.NaN);
        // The loss is the failure, whatever becomes of its cause.
        await diagnose(true).catch(() => undefined);
      }
      throw error;
    }
  }

  async function validate() {
    validation = await run.validate();
    return validation;
  }

  return { run: { ...run, advance, validate }, diagnose: () => diagnose(), last: () => last };
}
