import type { StoredFamily } from '../../families/stored-family.ts';
import { chronospikeParameters } from './parameters.ts';
import { ChronospikeSpec, structureFromSpec } from './spec.ts';
import { checkStructure } from './structure.ts';

export const storedChronospike: StoredFamily<typeof ChronospikeSpec> = {
  spec: ChronospikeSpec,
  parameters(spec) {
    const structure = structureFromSpec(spec);
    checkStructure(structure);
    return chronospikeParameters(structure);
  },
};
