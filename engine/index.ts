/** The public surface of the engine: numbers on a device; no HTTP, no React, no jobs. */
export type { Backend, DeviceDescription } from './graph/backend.ts';
export { type DeviceChoice, DEVICES, parseDevice } from './backends/device-choice.ts';
export { openBackend } from './backends/open-backend.ts';
export {
  isForTraining,
  MODEL_FILES,
  modelFilesOf,
  requireArchitecture,
  textModelOf,
} from './checkpoint/checkpoint.ts';
export { type CheckpointFiles, decodeJson, MANIFEST, withManifest } from './checkpoint/files.ts';
export { publicationOf } from './checkpoint/publication.ts';
export type { DataOptions, DataShape, RunData, TextData } from './checkpoint/run-data.ts';
export { decodeSafetensors, encodeSafetensors } from './checkpoint/safetensors.ts';
export { readTokenizer, vocabularyOf } from './checkpoint/tokenizer-bundle.ts';
export { controlsOf, settingsOf, type TrainingState } from './checkpoint/training-state.ts';
export { unpackSpikes } from './data/arrays/packed-spikes.ts';
export { blobSource, type ByteSource } from './data/files/byte-source.ts';
export { CAPTION_MARK } from './data/captions/caption-batches.ts';
export type { Corpus, CorpusOptions } from './data/corpus/corpus.ts';
export { openCorpus } from './data/corpus/open-corpus.ts';
export { type DataFile, type DataFiles, noFiles, singleFile } from './data/files/data-files.ts';
export { inspectText, type TextReport } from './data/corpus/inspect-text.ts';
export { parseJson } from './data/files/json.ts';
export { decodePng } from './data/images/png.ts';
export { splitCorpus } from './data/corpus/corpus.ts';
export {
  choiceFrom,
  preparationFrom,
  textFields,
  textFieldsAmong,
} from './datasets/text-fields.ts';
export type { TextTokenizer } from './data/tokenizers/text-tokenizer.ts';
export type { TextFormat } from './data/text/prepared-text.ts';
export type { OpenTokenStore, TokenStore } from './data/corpus/token-store.ts';
export {
  type Tokenizer,
  TOKENIZER_KINDS,
  type TokenizerKind,
  unitOf,
} from './data/tokenizers/tokenizer.ts';
export { vocabularyGap } from './datasets/vocabulary-gap.ts';
export { decodeWav } from './data/audio/wav.ts';
export { isZipName, memorySource, zipFiles } from './data/files/zip.ts';
export { withBoundedMemory } from './data/hdf5/bounded-memory.ts';
export { EngineError, type EngineErrorCode } from './errors.ts';
export type { Data } from './layers/batch-source.ts';
export type { Inputs } from './layers/example-inputs.ts';
export {
  checkFit,
  type EpochReport,
  type FitOptions,
  type StepReport,
} from './layers/fit-options.ts';
export { fit, type History } from './layers/fit.ts';
export type { Model } from './layers/model.ts';
export type { Observation } from './layers/observe.ts';
export type { Evaluated, EvaluationChoice, Evaluator } from './evaluation/evaluator.ts';
export type { Floor } from './evaluation/floors.ts';
export type { Verdict } from './evaluation/verdict.ts';
export {
  type ClassificationSection,
  type EnergySection,
  EvaluationReport,
  type LanguageSection,
  parseReport,
  type RetrievalSection,
  type SpikesSection,
  type SplitName,
  SPLITS,
  type StreamsSection,
  type Unit,
} from './evaluation/report.ts';
export type { SpikeUse } from './evaluation/spike-use.ts';
export {
  type MotorDecoder,
  openMotorDecoder,
  populationVector,
} from './functional/motor-decoder.ts';
export { equationKernels } from './kernels/equation-kernels.ts';
export { kernelHead } from './kernels/kernel-head.ts';
export { kernels } from './kernels/kernels.ts';
export { isWritten } from './kernel-language/written-kernel.ts';
export type { NeuronModel, NeuronParameter, NeuronState } from './kernels/neuron-model.ts';
export { formatPlan, type Program } from './graph/program.ts';
export { type Architecture, ARCHITECTURES, familyDescriptions } from './models/architectures.ts';
export { structureDifferences } from './models/base-structure.ts';
export { type CaptionRequest, openCaptioner } from './models/captioning/captioner.ts';
export {
  isPrefixedSpec,
  type PrefixedSpec,
  prefixInputsOf,
} from './models/captioning/prefix-inputs.ts';
export type { PrefixInputs } from './models/captioning/prefix.ts';
export { runControls } from './models/auto-recipes.ts';
export {
  type Asked,
  type ChoiceContext,
  chooseLeftOut,
  chooseSettings,
  type KnownSettings as RunSettings,
  profileControls,
  STABLE_BASELINE,
  withChoices,
} from './models/choices.ts';
export {
  checkMedia,
  classNamesOf,
  type ClassSpec,
  isClassSpec,
  labelsOf,
  mediaOf,
  openClassModel,
  shownMedia,
} from './models/classification/class-model.ts';
export type { ClassModel, Media } from './models/classification/prediction.ts';
export { type Forecast, timeInWords } from './models/forecast.ts';
export { type RateTest, testRates } from './models/rate-test.ts';
export { type Ground, settleSettings } from './models/settle-settings.ts';
export { softmax } from './numbers.ts';
export {
  chronospikeSettings,
  presets,
  type TrainingSettings,
} from './models/dense-chronospike/settings.ts';
export { createTrainingRun } from './models/dense-chronospike/training.ts';
export type { KnownSpec as ModelSpec } from './models/families.ts';
export type { BatchedModel } from './models/language/batched-model.ts';
export type {
  GenerateRequest,
  LanguageModel,
  LayerObservation,
  Observer,
  TextGenerator,
} from './models/language/generator.ts';
export type { Distillation } from './models/language/loss-rule.ts';
export { defaultSampling, type Sampling } from './models/language/sampling.ts';
export {
  type RasterRows,
  type Sequence,
  Writing,
  type Written,
} from './models/language/writing.ts';
export {
  inspectTraining,
  type KnownRun as TrainingRun,
  loadFamily,
  type ModelFamily,
} from './models/load-family.ts';
export { type Evaluation, openEvaluation } from './models/open-evaluation.ts';
export { openBatchedModel, openLanguageModel } from './models/open-model.ts';
export { type RegistrationChoice, registrationOf } from './models/registration.ts';
export { requireRoom } from './models/room.ts';
export { decodeSpikingMlp, encodeSpikingMlp } from './models/spiking-mlp/stored.ts';
export {
  type Conversion,
  convertTransformer,
  type SpikingLoss,
} from './models/standard-transformer/conversion.ts';
export { defaultDistillation } from './models/standard-transformer/distillation.ts';
export { executionOf } from './models/start-run.ts';
export {
  type KnownModel as StoredModel,
  type KnownTraining as StoredTraining,
  modelOf,
  parametersOf,
  parseModelSpec,
  unpackModel,
  unpackTraining,
} from './models/stored-model.ts';
export { neuronCatalogue, neuronModel } from './neurons/catalogue.ts';
export { parseNeuron } from './neurons/equations.ts';
export { NEURON_LIMITS } from './neurons/limits.ts';
export { writtenModel } from './neurons/written-model.ts';
export { type WrittenName, writtenNeurons } from './neurons/written-catalogue.ts';
export { type NirExport, nirOfModel } from './nir/export-model.ts';
export { type NetworkExport, nirOfNetwork } from './nir/export-network.ts';
export { nirOfNeuron } from './nir/export-neuron.ts';
export type { NirGraph, NirNode } from './nir/graph.ts';
export { nirOfSpikingMlp } from './nir/graph-builder.ts';
export { RESET_RULES, type ResetRule } from './nir/neurons.ts';
export { type NirNetwork, type NirSignals, openNir } from './nir/open-nir.ts';
export { type NirPlan, type PlannedNode, planNir } from './nir/plan.ts';
export { type NirFile, readNir } from './nir/graph-file.ts';
export {
  isTextSet,
  isTreeGroup,
  type NumberData,
  type NumberSet,
  type TextSet,
  type TreeEntry,
  type TreeGroup,
} from './nir/graph.ts';
export { NIR_VERSION, writeNir } from './nir/graph-file.ts';
export { synchrony } from './ops/synchrony.ts';
export { estimateTraining } from './planning.ts';
export { plasticityRules } from './plasticity/simulator-rules.ts';
export { pairRule } from './plasticity/stdp-rules.ts';
export { keyOf, philox, uniformFrom } from './random/philox.ts';
export {
  controlsFor,
  controlsNamed,
  type Environment,
  type NeuronRules,
  parseFlag,
  PROFILE_NAMES,
  type ProfileName,
  profiles,
  REWARD_MODES,
  stableBaseline,
  type TrainingControls,
} from './settings/controls.ts';
export {
  expectation,
  type Field,
  type Fields,
  type FieldTable,
  type FieldValue,
  initialFields,
} from './settings/fields.ts';
export { DEFAULT_MINUTES, PRESET_NAMES, type PresetName } from './settings/recipes.ts';
export type { Budget, Choices } from './settings/run-settings.ts';
export {
  decodeDelta,
  decodeOuter,
  encodeDelta,
  encodeOuter,
  OUTER_FILE,
} from './train/delta-file.ts';
export {
  closeRound,
  type Contribution,
  type Delta,
  deltaOf,
  memberDataSeed,
  type OuterState,
  parametersDigest,
  quantiseDelta,
  startOuter,
} from './train/local-sgd.ts';
export type { MemoryBreakdown, TrainingPlan } from './train/plan-programs.ts';
export { diagnoseRun, type RunDiagnosis } from './diagnosis/diagnose-run.ts';
export type { Cause, Change, Evidence, Finding } from './diagnosis/findings.ts';
export { remedyText, sentenceOf } from './diagnosis/sentences.ts';
export { beginFrom } from './train/begin-from.ts';
export { formatProfile } from './train/profile.ts';
export type { Progress, Validation } from './train/run.ts';
export { learningRateAt } from './optimizers/learning-rate.ts';
export { type LayerActivity, overallActivity } from './train/spike-statistics.ts';
export * from './simulator/index.ts';
export * from './plugins/platform.ts';
