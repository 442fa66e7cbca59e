import type { FamilyPlan } from '../../families/family.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { sparseSettings } from './settings.ts';
import { sparseMemory } from './sizes.ts';

export const sparsePlan: FamilyPlan = {
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  check: (settings) => {
    sparseSettings(settings, 1);
  },
  plan: (settings, _controls, { vocabulary = 256 }) =>
    planMemory(sparseMemory(sparseSettings(settings, vocabulary))),
};
