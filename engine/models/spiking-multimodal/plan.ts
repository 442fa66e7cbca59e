import type { FamilyPlan } from '../../families/family.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { checkMultimodalSettings, multimodalStructure } from './settings.ts';
import { multimodalMemory } from './sizes.ts';

export const multimodalPlan: FamilyPlan = {
  assumedShape: { vocabulary: 256, images: 1, sounds: 0 },
  check: checkMultimodalSettings,
  plan(settings, _controls, shape) {
    checkMultimodalSettings(settings);
    return planMemory(multimodalMemory(multimodalStructure(settings, shape), settings.batch));
  },
};
