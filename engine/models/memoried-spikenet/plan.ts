import type { FamilyPlan } from '../../families/family.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { memoriedSettings } from './settings.ts';
import { memoriedMemory } from './sizes.ts';

export const memoriedPlan: FamilyPlan = {
  assumedShape: { vocabulary: 256, images: 1, sounds: 0, classes: 1 },
  check: (settings) => {
    memoriedSettings(settings, { images: 1 });
  },
  plan: (settings, _controls, shape) =>
    planMemory(memoriedMemory(memoriedSettings(settings, shape), settings.batch)),
};
