import type { TrainingExecution } from '../checkpoint/training-state.ts';
import {
  namedControls,
  plainRules,
  type ProfileName,
  type TrainingControls,
} from '../settings/controls.ts';
import type { RunSettings } from '../settings/run-settings.ts';
import { startRun } from '../train/run-loop.ts';
import type { RunParts } from '../train/run-parts.ts';
import { chosenRunControls } from './auto-recipes.ts';
import { familyOf } from './families.ts';
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

/** The record of a run in its config.json: what was submitted, what was effective, and the controls used. */
export function executionOf(
  settings: RunSettings,
  chosen: TrainingControls,
  profile?: ProfileName,
): TrainingExecution {
  const { architecture, fields, batch, learningRate, seed, budget } = settings;
  const effective = { ...fields, batch_size: batch, learning_rate: learningRate, seed, budget };
  const { usedControls = withoutRules } = familyOf(architecture);
  const controls = usedControls(settings, chosen);
  const choices = {
    ...settings.chosen,
    ...(profile && chosenRunControls(profile, settings, chosen)),
  };
  const given = Object.entries(effective).filter(([name]) => !(name in choices));
  return {
    submitted: Object.fromEntries(given),
    effective,
    ...(profile && { convergence_profile: profile }),
    controls: {
      ...namedControls(controls),
      hard_spike_parity: controls.relaxation === 0,
      ...(Object.keys(choices).length > 0 && { chosen: choices }),
    },
  };
}

/** Most neurons learn by the gradient alone. */
const withoutRules = (_: RunSettings, controls: TrainingControls): TrainingControls => ({
  ...controls,
  ...plainRules,
});
