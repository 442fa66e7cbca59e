import * as z from 'zod/mini';
import {
  controlsNamed,
  plainRules,
  PROFILE_NAMES,
  REWARD_MODES,
  stableBaseline,
  type TrainingControls,
} from '../settings/controls.ts';
import type { Fields } from '../settings/fields.ts';
import type { RunSettings } from '../settings/run-settings.ts';
import { TextRecord } from './text-record.ts';

const Budget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('steps'), steps: z.number() }),
  z.object({ kind: z.literal('epochs'), epochs: z.number() }),
  z.object({ kind: z.literal('minutes'), minutes: z.number() }),
]);

/** The family's fields by their names on the wire, and what every run has. */
const Submitted = z.looseObject({
  batch_size: z.number(),
  learning_rate: z.number(),
  seed: z.number(),
  budget: Budget,
});

/** Values left out of a request: the choice and its reason. */
const Chosen = z.record(
  z.string(),
  z.object({ value: z.union([z.number(), z.string(), z.boolean()]), reason: z.string() }),
);

const Controls = z.object({
  warmup: z.number(),
  /** Checkpoints of before 2026-11-21 lack it: their rate fell from the start. */
  decay_start: z.prefault(z.number(), 0),
  final_rate: z.number(),
  grad_clip_norm: z.number(),
  weight_decay: z.number(),
  beta1: z.number(),
  beta2: z.number(),
  epsilon: z.number(),
  /** Checkpoints of before 2026-11-23 lack it: they hold the weights as they are trained. */
  average: z.prefault(z.number(), 0),
  /** Checkpoints of before 2026-11-22 lack these four: their neurons learned by the gradient alone. */
  reward_mode: z.prefault(z.enum(REWARD_MODES), plainRules.rewardMode),
  reward_clip_value: z.prefault(z.number(), plainRules.rewardClipValue),
  energy_gating: z.prefault(z.boolean(), plainRules.energyGating),
  relaxation: z.prefault(z.number(), plainRules.relaxation),
  /** True where all spikes of the run were hard, as FORCE_HARD_SPIKE_PARITY asks for. */
  hard_spike_parity: z.prefault(z.boolean(), true),
  /** The fields that were not submitted; none are listed in a run of before 2026-11-22. */
  chosen: z.optional(Chosen),
});

/** The privacy budget a run has spent, an upper bound on what its model's files reveal of any example. */
const Privacy = z.object({
  privacy_level: z.string(),
  epsilon: z.number(),
  delta: z.number(),
  /** Standard deviation of the noise over the clipping norm. */
  noise_multiplier: z.number(),
  clip_norm: z.number(),
  /** Probability of each example to be in a step. */
  sampling_rate: z.number(),
  steps: z.int(),
});

/** The teacher that a run learned from. */
const DistillationRecord = z.object({
  /** `sha256:` and the digest of its parameters, as they lie in memory. */
  teacher: z.string(),
  /** Its share of the loss. */
  weight: z.number(),
  temperature: z.number(),
});
export type DistillationRecord = z.infer<typeof DistillationRecord>;

/** Submitted and effective values, and the controls chosen; submitted values are never altered. */
export const TrainingExecution = z.object({
  /** The given values, and nothing else. */
  submitted: z.partial(Submitted),
  effective: Submitted,
  /** Where the controls came from before overrides; a run of before 2026-11-21 does not say. */
  convergence_profile: z.optional(z.enum(PROFILE_NAMES)),
  controls: Controls,
  privacy: z.optional(Privacy),
  distillation: z.optional(DistillationRecord),
});
export type TrainingExecution = z.infer<typeof TrainingExecution>;

/** Where a run stands. Random numbers and the data's order follow from the seed and the step. */
export const TrainingState = z.object({
  step: z.int(),
  /** Seconds spent training, over all sessions. */
  seconds: z.number(),
  random: z.object({ generator: z.literal('philox4x32-10'), seed: z.int(), step: z.int() }),
  data: z.object({
    name: z.string(),
    sha256: z.string(),
    /** Of a text. */
    characters: z.optional(z.int()),
    /** As many as characters in checkpoints that do not say. */
    tokens: z.optional(z.int()),
    text: z.optional(TextRecord),
    /** Labelled or captioned examples, of any other data. */
    examples: z.optional(z.int()),
    position: z.object({ epoch: z.int(), step_in_epoch: z.int() }),
  }),
  last_loss: z.nullable(z.number()),
  /** Steps that the average of the weights has taken in, of a run that averages them. */
  averaged_steps: z.optional(z.int()),
});
export type TrainingState = z.infer<typeof TrainingState>;

/** The settings of a run whose model has this architecture. */
export function settingsOf<Architecture extends string>(
  { effective, controls: { chosen } }: TrainingExecution,
  architecture: Architecture,
): RunSettings<Architecture> {
  const { batch_size: batch, learning_rate: learningRate, seed, budget, ...fields } = effective;
  // Their values are checked by the family's table, as the file is not trusted.
  const held = { architecture, fields: fields as Fields, batch, learningRate, seed, budget };
  // Values of its controls are derived from the profile again.
  const isKept = (name: string) => name in effective || name === 'recipe';
  const fieldsChosen = Object.entries(chosen ?? {}).filter(([name]) => isKept(name));
  return { ...held, ...(chosen && { chosen: Object.fromEntries(fieldsChosen) }) };
}

/** The controls of a run in the engine's words. */
export function controlsOf({ controls }: TrainingExecution): TrainingControls {
  return { ...stableBaseline, ...controlsNamed(controls) };
}
