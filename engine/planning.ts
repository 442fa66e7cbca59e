/**
 * The engine's interface for accepting jobs at the edge: validation of settings, values chosen
 * by default, agreement with a base model, and estimated memory. No kernels and no backends; a Worker that imports this stays small.
 */
import type { DataShape } from './checkpoint/run-data.ts';
import { familyOf } from './models/families.ts';
import type { TrainingPlan } from './train/plan-programs.ts';
import type { RunSettings } from './settings/run-settings.ts';
import { stableBaseline, type TrainingControls } from './settings/controls.ts';

export { EngineError } from './errors.ts';
export { readTokenizer } from './checkpoint/tokenizer-bundle.ts';
export { memorySource } from './data/files/zip.ts';
export { vocabularyGap } from './datasets/vocabulary-gap.ts';
export { controlsFor, controlsNamed } from './settings/controls.ts';
export { profileControls } from './models/choices.ts';
export { structureDifferences, type SpecRecord } from './models/base-structure.ts';
export { chooseLeftOut, chooseSettings, withChoices } from './models/choices.ts';
export { type Choices } from './settings/run-settings.ts';
export type { Fields } from './settings/fields.ts';
export type { MemoryBreakdown, TrainingPlan } from './train/plan-programs.ts';
export type { KnownSettings as RunSettings } from './models/choices.ts';

/** Context of a run besides its settings. */
interface KnownOfRun {
  /** Of its data; as its family assumes by default. */
  readonly shape?: DataShape | undefined;
  /** Those of the stable baseline by default. */
  readonly controls?: TrainingControls | undefined;
}

/**
 * Estimates the memory of a run of any family: by formula and not by tracing, so in constant time.
 * Throws EngineError `invalid-setting`, `invalid-structure`.
 */
export function estimateTraining(
  settings: RunSettings,
  { shape = assumedShape(settings), controls = stableBaseline }: KnownOfRun = {},
): TrainingPlan {
  return familyOf(settings.architecture).plan(settings, controls, shape);
}

/** The data shape the family assumes; with BPE, the vocabulary that the settings request. */
function assumedShape({ architecture, fields }: RunSettings): DataShape {
  const { tokenizer, vocab_size: vocabulary } = fields;
  const isKnown = tokenizer === 'bpe' && typeof vocabulary === 'number';
  return { ...familyOf(architecture).assumedShape, ...(isKnown && { vocabulary }) };
}
