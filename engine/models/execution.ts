import type { TrainingExecution } from '../checkpoint/training-state.ts';
import {
  namedControls,
  plainRules,
  type ProfileName,
  type TrainingControls,
} from '../settings/controls.ts';
import type { RunSettings } from '../settings/run-settings.ts';
import { chosenControls } from './choices.ts';
import { familyOf } from './families.ts';

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
    ...(profile && chosenControls(profile, settings, chosen)),
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
