import type { FamilyPlan } from '../../families/family.ts';
import { planPrograms } from '../../train/plan-programs.ts';
import { traceCaptionRun } from '../captioning/caption-model.ts';
import { captionModelOf } from './caption-model.ts';
import { checkMultimodalSettings, multimodalStructure } from './settings.ts';

export const multimodalPlan: FamilyPlan = {
  assumedShape: { vocabulary: 256, images: 1, sounds: 0 },
  check: checkMultimodalSettings,
  plan(settings, controls, shape) {
    checkMultimodalSettings(settings);
    const model = captionModelOf(multimodalStructure(settings, shape));
    return planPrograms(model.layout, traceCaptionRun(model, settings.batch, controls).programs);
  },
};
