import type { KeptSpec, StoredFamily } from '../../families/stored-family.ts';
import { CARRY_GROUPS, type CarriedPart, carriedParts } from './carried-parts.ts';
import { type NeuronRules, ruleParts } from './neuron-rules.ts';
import { chronospikeParameters } from './parameters.ts';
import { ChronospikeSpec, structureFromSpec } from './spec.ts';
import { checkStructure, type ChronospikeStructure } from './structure.ts';

export const storedChronospike: StoredFamily<typeof ChronospikeSpec> = {
  spec: ChronospikeSpec,
  parameters(spec) {
    const structure = structureFromSpec(spec);
    checkStructure(structure);
    return chronospikeParameters(structure);
  },
  keptForTraining: (spec, { effective, controls }) =>
    keptOf(structureFromSpec(spec), {
      rules: { rewardMode: controls.reward_mode, energyGating: controls.energy_gating },
      carryBatch: effective['carry'] === true ? effective.batch_size : 0,
    }),
};

/** What a run keeps beside the moments: the state of its rules, and what its rows carry. */
function keptOf(
  structure: ChronospikeStructure,
  {
    rules,
    carryBatch,
  }: { rules: Pick<NeuronRules, 'rewardMode' | 'energyGating'>; carryBatch: number },
): KeptSpec[] {
  const carried = carryBatch > 0 ? groupsOf(structure, carryBatch) : [];
  return [
    ...ruleParts(structure, rules),
    ...carried.map(({ name, shape }): KeptSpec => ({ name, shape, dtype: 'F32' })),
  ];
}

function groupsOf(structure: ChronospikeStructure, batch: number): CarriedPart[] {
  return Array.from({ length: CARRY_GROUPS }, (_, group) =>
    carriedParts(structure, batch, group),
  ).flat();
}
