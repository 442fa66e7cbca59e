/**
 * What the edge asks of the engine before a job is taken: whether its settings are good, what is chosen
 * where they are left out, whether a base model agrees, and how much memory it will need. No kernels and no backends; a Worker that imports this stays small.
 */
import type { DataShape } from './families/family.ts';
import { familyPlans } from './families/plans.ts';
import type { TrainingPlan } from './train/plan-programs.ts';
import type { RunSettings } from './train/run-settings.ts';
import { stableBaseline, type TrainingControls } from './train/settings.ts';

export { EngineError } from './errors.ts';
export { readTokenizer } from './checkpoint/tokenizer-bundle.ts';
export { memorySource } from './data/files/zip.ts';
export { vocabularyGap } from './datasets/vocabulary-gap.ts';
export { controlsFor, controlsNamed, profileControls, type ProfileName } from './train/profiles.ts';
export type { Architecture } from './families/architectures.ts';
export { structureDifferences, type SpecRecord } from './families/base-structure.ts';
export { type Choices, chooseLeftOut, chooseSettings, withChoices } from './families/choices.ts';
export type { Fields } from './families/fields.ts';
export type { MemoryBreakdown, TrainingPlan } from './train/plan-programs.ts';
export type { Budget, RunSettings } from './train/run-settings.ts';

/** What is known of a run besides its settings. */
export interface KnownOfRun {
  /** Of its data; as its family assumes where it is left out. */
  readonly shape?: DataShape | undefined;
  /** Those of the stable baseline where they are left out. */
  readonly controls?: TrainingControls | undefined;
}

/**
 * What a run of any family will need: by formula and not by tracing, so it takes as long for any size.
 * Throws EngineError `invalid-setting`, `invalid-structure`.
 */
export function estimateTraining(
  settings: RunSettings,
  { shape = assumedShape(settings), controls = stableBaseline }: KnownOfRun = {},
): TrainingPlan {
  return familyPlans[settings.architecture].plan(settings, controls, shape);
}

/** What the family assumes of its data; tokens of BPE are as many as the settings ask for. */
function assumedShape({ architecture, fields }: RunSettings): DataShape {
  const { tokenizer, vocab_size: vocabulary } = fields;
  const isKnown = tokenizer === 'bpe' && typeof vocabulary === 'number';
  return { ...familyPlans[architecture].assumedShape, ...(isKnown && { vocabulary }) };
}
