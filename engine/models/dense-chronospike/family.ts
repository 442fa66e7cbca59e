import { defineFamily } from '../family.ts';
import { readFields } from '../../settings/fields.ts';
import { chronospikeDescription, chronospikeFields } from './description.ts';
import type { BufferSpec } from '../../checkpoint/parameters-file.ts';
import type { NeuronRules } from '../../settings/controls.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { type CarriedPart, carriedParts, CARRY_GROUPS } from './carried-parts.ts';
import { defaultEnergySettings } from './energy.ts';
import { ruleParts, rulesFor } from './neuron-rules.ts';
import { chronospikeParameters } from './parameters.ts';
import { checkSettings, chronospikeSettings, structureOf } from './settings.ts';
import { chronospikeMemory } from './sizes.ts';
import { ChronospikeSpec, structureFromSpec } from './spec.ts';
import { checkStructure, type ChronospikeStructure } from './structure.ts';

export const denseChronospike = defineFamily(chronospikeDescription, {
  spec: ChronospikeSpec,
  parameters(spec) {
    const structure = structureFromSpec(spec);
    checkStructure(structure);
    return chronospikeParameters(structure);
  },
  trainingBuffers: (spec, { effective, controls }) =>
    keptOf(structureFromSpec(spec), {
      rules: { rewardMode: controls.reward_mode, energyGating: controls.energy_gating },
      carryBatch: effective['carry'] === true ? effective.batch_size : 0,
    }),
  usedControls(settings, controls) {
    const { neuron_type: neuron } = readFields(
      settings.architecture,
      chronospikeFields,
      settings.fields,
    );
    return { ...controls, ...rulesFor({ neuron }, controls) };
  },
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  check: (settings) => checkSettings(chronospikeSettings(settings)),
  plan(asked, rules, { vocabulary = 256 }) {
    const settings = chronospikeSettings(asked);
    checkSettings(settings);
    const { batch, sequence, carry = false } = settings;
    const structure = structureOf(settings, vocabulary);
    const { energy = defaultEnergySettings } = settings;
    const run = { structure, shape: { batch, sequence }, rules, energy, carry };
    return planMemory(chronospikeMemory(run));
  },
});

/** What a run keeps beside the moments: the state of its rules, and what its rows carry. */
function keptOf(
  structure: ChronospikeStructure,
  {
    rules,
    carryBatch,
  }: { rules: Pick<NeuronRules, 'rewardMode' | 'energyGating'>; carryBatch: number },
): BufferSpec[] {
  const carried = carryBatch > 0 ? groupsOf(structure, carryBatch) : [];
  return [
    ...ruleParts(structure, rules),
    ...carried.map(({ name, shape }): BufferSpec => ({ name, shape, dtype: 'F32' })),
  ];
}

function groupsOf(structure: ChronospikeStructure, batch: number): CarriedPart[] {
  return Array.from({ length: CARRY_GROUPS }, (_, group) =>
    carriedParts(structure, batch, group),
  ).flat();
}
