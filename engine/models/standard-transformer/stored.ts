import type { StoredFamily } from '../../families/stored-family.ts';
import { transformerParameters } from './parameters.ts';
import { transformerFromSpec, TransformerSpec } from './spec.ts';
import { checkTransformerStructure } from './structure.ts';

export const storedTransformer: StoredFamily<typeof TransformerSpec> = {
  spec: TransformerSpec,
  parameters(spec) {
    const structure = transformerFromSpec(spec);
    checkTransformerStructure(structure);
    return transformerParameters(structure);
  },
};
