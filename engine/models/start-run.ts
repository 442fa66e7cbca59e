import type { RunParts } from '../train/run-parts.ts';
import { startRun } from '../train/run-loop.ts';
import { executionOf } from './execution.ts';
import type { TrainingOptions } from './family.ts';
import { recordOf } from './standard-transformer/distillation.ts';

/** Starts a run of a family: the loop of all runs, with the record of its settings for checkpoints. */
export function startFamilyRun<Views extends object>(
  options: TrainingOptions,
  parts: Omit<RunParts<Views>, 'execution'>,
) {
  const { settings, controls, resume, distillation } = options;
  const profile = options.profile ?? resume?.execution.convergence_profile;
  const execution = {
    ...executionOf(settings, controls, profile),
    ...(distillation && { distillation: recordOf(distillation) }),
  };
  return startRun(options, { ...parts, execution });
}
