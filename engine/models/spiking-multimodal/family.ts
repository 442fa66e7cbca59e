import { defineFamily } from '../family.ts';
import { multimodalDescription } from './description.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { multimodalParameters } from './parameters.ts';
import { checkMultimodalSettings, multimodalStructure } from './settings.ts';
import { multimodalMemory } from './sizes.ts';
import { MultimodalSpec, multimodalStructureFrom } from './spec.ts';
import { checkMultimodal } from './structure.ts';

export const spikingMultimodal = defineFamily(multimodalDescription, {
  spec: MultimodalSpec,
  parameters(spec) {
    const structure = multimodalStructureFrom(spec);
    checkMultimodal(structure);
    return multimodalParameters(structure);
  },
  prefix: (spec) => ({ ...multimodalStructureFrom(spec), isRequired: true }),
  assumedShape: { vocabulary: 256, images: 1, sounds: 0 },
  check: checkMultimodalSettings,
  plan(settings, _controls, shape) {
    checkMultimodalSettings(settings);
    return planMemory(multimodalMemory(multimodalStructure(settings, shape), settings.batch));
  },
});
