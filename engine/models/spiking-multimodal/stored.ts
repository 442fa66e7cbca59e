import type { StoredFamily } from '../../families/stored-family.ts';
import { multimodalParameters } from './parameters.ts';
import { MultimodalSpec, multimodalStructureFrom } from './spec.ts';
import { checkMultimodal } from './structure.ts';

export const storedMultimodal: StoredFamily<typeof MultimodalSpec> = {
  spec: MultimodalSpec,
  parameters(spec) {
    const structure = multimodalStructureFrom(spec);
    checkMultimodal(structure);
    return multimodalParameters(structure);
  },
};
