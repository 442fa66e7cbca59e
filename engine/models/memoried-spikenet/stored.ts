import type { StoredFamily } from '../../families/stored-family.ts';
import { keptSparse } from '../sparse-event-memory/stored.ts';
import { codebookSpecs } from './codebooks.ts';
import { memoriedParameters } from './parameters.ts';
import { MemoriedSpec, memoriedStructureFrom } from './spec.ts';
import { backboneOf, checkStreamedStructure } from './structure.ts';

/** As the sparse family, and the centroids that image and audio codes stand for. */
export const storedMemoried: StoredFamily<typeof MemoriedSpec> = {
  spec: MemoriedSpec,
  parameters(spec) {
    const structure = memoriedStructureFrom(spec);
    checkStreamedStructure(structure);
    return memoriedParameters(structure);
  },
  kept(spec) {
    const structure = memoriedStructureFrom(spec);
    return [...keptSparse(backboneOf(structure)), ...codebookSpecs(structure)];
  },
};
