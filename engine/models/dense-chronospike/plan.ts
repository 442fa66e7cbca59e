import type { FamilyPlan } from '../../families/family.ts';
import { planTraining } from '../../train/plan-training.ts';
import { checkSettings, chronospikeSettings } from '../../train/settings.ts';

export const chronospikePlan: FamilyPlan = {
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  check: (settings) => checkSettings(chronospikeSettings(settings)),
  plan: (settings, controls, { vocabulary = 256 }) =>
    planTraining(chronospikeSettings(settings), controls, vocabulary),
};
