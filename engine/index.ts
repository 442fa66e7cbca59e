/** The public surface of the engine: numbers on a device; no HTTP, no React, no jobs. */
export { EngineError, type EngineErrorCode } from './errors.ts';

export type { Backend, DeviceDescription, Player } from './backends/backend.ts';
export {
  type DeviceChoice,
  type DeviceOptions,
  DEVICES,
  openBackend,
  parseDevice,
} from './backends/open-backend.ts';

export { type ByteSource, blobSource } from './data/byte-source.ts';
export type { CharacterTokenizer } from './data/character-tokenizer.ts';
export { type Corpus, openCorpus } from './data/corpus.ts';
export { splitCorpus } from './data/split.ts';

export { formatPlan, type Program } from './graph/program.ts';

export {
  controlsOf,
  settingsOf,
  type TrainingExecution,
  type TrainingState,
} from './checkpoint/training-state.ts';
export {
  MODEL_FILES,
  type StoredModel,
  type StoredTraining,
  unpackModel,
  unpackTraining,
} from './checkpoint/checkpoint.ts';
export { type CheckpointFiles, MANIFEST } from './checkpoint/files.ts';
export type { ModelSpec } from './checkpoint/model-spec.ts';
export { type RegistrationChoice, registrationOf } from './checkpoint/registration.ts';

export { checkSampling, defaultSampling, type Sampling } from './models/sampling.ts';
export type { GenerateRequest, TextGenerator } from './models/dense-chronospike/generator.ts';
export {
  type LanguageModel,
  openLanguageModel,
} from './models/dense-chronospike/language-model.ts';
export type { LayerObservation, Observer } from './models/dense-chronospike/observer.ts';

export {
  type Budget,
  checkSettings,
  type PresetName,
  presets,
  stableBaseline,
  type TrainingControls,
  type TrainingSettings,
} from './train/settings.ts';
export { type LayerActivity, overallActivity, RATE_BINS } from './train/spike-statistics.ts';
export {
  createTrainingRun,
  type Progress,
  type TrainingRun,
  type Validation,
} from './train/training-run.ts';
export { formatProfile, type KernelProfile } from './train/profile.ts';
export { inspectTraining } from './train/inspect-training.ts';
export { planTraining, type TrainingPlan } from './train/plan-training.ts';
