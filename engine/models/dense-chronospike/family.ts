import * as z from 'zod/mini';
import type { BufferSpec } from '../../checkpoint/parameters-file.ts';
import { count, textSpec, type TokenizerReference } from '../../checkpoint/spec-members.ts';
import { ngramBuffers } from '../../ngrams/stored.ts';
import type { NeuronRules } from '../../settings/controls.ts';
import { NEURON_LIMITS } from '../../neurons/limits.ts';
import { readFields } from '../../settings/fields.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { defineFamily } from '../family.ts';
import { chronospikeDescription, chronospikeFields } from './description.ts';
import { defaultEnergySettings } from './energy.ts';
import { ruleParts, rulesFor } from './neuron-rules.ts';
import { readEquations, readStoredEquations } from './equations.ts';
import { checkSettings, chronospikeSettings, structureOf } from './settings.ts';
import { chronospikeMemory } from './sizes.ts';
import {
  type CarriedPart,
  carriedParts,
  CARRY_GROUPS,
  checkStructure,
  chronospikeParameters,
  type ChronospikeStructure,
  NEURON_TYPES,
} from './structure.ts';

/** Buffers of a run beside the moments: the state of its rules and of its rows. */
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

/** Characters of a SHA-256 in hexadecimal. */
const MAX_DIGEST = 64;

/** model_spec of dense_chronospike. */
export const ChronospikeSpec = z.object({
  ...textSpec,
  model_family: z.literal('SpikingEvoTextLM'),
  architecture: z.literal('dense_chronospike'),
  d_model: count,
  n_heads: count,
  num_blocks: count,
  time_steps: count,
  neuron_type: z.enum(NEURON_TYPES),
  core: z.object({
    beta: z.number(),
    threshold: z.number(),
    surrogate: z.enum(['atan', 'fast_sigmoid', 'sigmoid', 'triangle']),
    tau: z.array(z.number()),
    seq_len: count,
    /** Weights are stored [inputs, outputs]. */
    linear_layout: z.literal('in_out'),
    /** Neurons that a user wrote: as they were written, and their digest. */
    equations: z.optional(
      z.object({
        text: z.string().check(z.maxLength(NEURON_LIMITS.characters)),
        digest: z.string().check(z.maxLength(MAX_DIGEST)),
      }),
    ),
  }),
});
export type ChronospikeSpec = z.infer<typeof ChronospikeSpec>;

/** Describes a model for its files. `sequence` is the length it was trained on. */
export function modelSpecOf(
  structure: ChronospikeStructure,
  sequence: number,
  tokenizer: TokenizerReference,
): ChronospikeSpec {
  const { beta, threshold, surrogate, tau, equations } = structure;
  const written = equations && { text: equations.text, digest: equations.digest };
  return {
    model_spec_version: 1,
    model_family: 'SpikingEvoTextLM',
    architecture: 'dense_chronospike',
    d_model: structure.width,
    n_heads: structure.heads,
    num_blocks: structure.blocks,
    time_steps: structure.steps,
    neuron_type: structure.neuron,
    vocab_size: structure.vocabulary,
    tokenizer,
    core: {
      beta,
      threshold,
      surrogate,
      tau: [...tau],
      seq_len: sequence,
      linear_layout: 'in_out',
      ...(written && { equations: written }),
    },
  };
}

export function structureFromSpec(spec: ChronospikeSpec): ChronospikeStructure {
  const { beta, threshold, surrogate, tau, equations } = spec.core;
  return {
    vocabulary: spec.vocab_size,
    width: spec.d_model,
    heads: spec.n_heads,
    blocks: spec.num_blocks,
    steps: spec.time_steps,
    tau,
    neuron: spec.neuron_type,
    beta,
    threshold,
    surrogate,
    ...readStoredEquations(equations),
    ...(spec.ngrams && { ngramOrder: spec.ngrams.order }),
  };
}

export const denseChronospike = defineFamily(chronospikeDescription, {
  spec: ChronospikeSpec,
  parameters(spec) {
    const structure = structureFromSpec(spec);
    checkStructure(structure);
    return chronospikeParameters(structure);
  },
  buffers: ngramBuffers,
  trainingBuffers: (spec, { effective, controls }) =>
    keptOf(structureFromSpec(spec), {
      rules: { rewardMode: controls.reward_mode, energyGating: controls.energy_gating },
      carryBatch: effective['carry'] === true ? effective.batch_size : 0,
    }),
  usedControls(settings, controls) {
    const { neuron_type: neuron, neuron_equations: text } = readFields(
      settings.architecture,
      chronospikeFields,
      settings.fields,
    );
    return { ...controls, ...rulesFor({ neuron, ...readEquations(text) }, controls) };
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
