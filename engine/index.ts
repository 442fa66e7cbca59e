/** The public surface of the engine: numbers on a device; no HTTP, no React, no jobs. */
export { EngineError, type EngineErrorCode } from './errors.ts';

export type { Backend, DeviceDescription, Player } from './backends/backend.ts';
export { type DeviceChoice, DEVICES, parseDevice } from './backends/device-choice.ts';
export { type DeviceOptions, openBackend } from './backends/open-backend.ts';

export { type ByteSource, blobSource } from './data/byte-source.ts';
export { type Corpus, type CorpusOptions, openCorpus } from './data/corpus.ts';
export { parseJson } from './data/json.ts';
export { splitCorpus } from './data/split.ts';

export { formatPlan, type Program } from './graph/program.ts';

export {
  controlsOf,
  settingsOf,
  type TrainingExecution,
  type TrainingState,
} from './checkpoint/training-state.ts';
export { executionOf } from './models/execution.ts';
export { MODEL_FILES } from './checkpoint/checkpoint.ts';
export { unpackModel, unpackTraining } from './models/stored-model.ts';
export { type CheckpointFiles, decodeJson, MANIFEST, withManifest } from './checkpoint/files.ts';
export { type Publication, publicationOf } from './checkpoint/publication.ts';
export { parseModelSpec } from './models/stored-model.ts';
export { requireArchitecture } from './checkpoint/checkpoint.ts';
export { type RegistrationChoice, registrationOf } from './models/registration.ts';

export {
  checkSampling,
  defaultSampling,
  sampleToken,
  type Sampling,
} from './models/language/sampling.ts';
export {
  type RasterRows,
  type Sequence,
  Writing,
  type Written,
} from './models/language/writing.ts';
export type { GenerateRequest, TextGenerator } from './models/language/generator.ts';
export type {
  BatchedModel,
  BatchedModelOptions,
  LayerSpikes,
  ObservedRead,
} from './models/language/batched-model.ts';
export { openBatchedModel, openLanguageModel } from './models/open-model.ts';
export type { SlotRead } from './evaluation/text-evaluator.ts';
export type { LanguageModel } from './models/language/language-model.ts';
export {
  energyOf,
  type EnergyUse,
  type OperationCounts,
  type SpikeUse,
} from './evaluation/spike-use.ts';
export { spikeUseOf } from './models/dense-chronospike/spike-use.ts';
export type { SpikingLayer } from './models/language/reading-program.ts';
export type { LayerObservation, Observer } from './models/language/observer.ts';

export {
  checkSettings,
  chronospikeSettings,
  presets,
  runSettingsOf,
  type TrainingSettings,
} from './models/dense-chronospike/settings.ts';
export { stableBaseline, type TrainingControls } from './settings/controls.ts';
export { type Budget } from './settings/run-settings.ts';
export { parametersOf } from './models/stored-model.ts';
export { learningRateAt } from './train/schedule.ts';
export { type LayerActivity, overallActivity, RATE_BINS } from './train/spike-statistics.ts';
export { type ChronospikeRun, createTrainingRun } from './models/dense-chronospike/training.ts';
export { type Floor, type Verdict, verdictOf } from './evaluation/floors.ts';
export type { Progress, Validation } from './train/run.ts';
export type { KnownOptions as RunOptions, KnownRun as TrainingRun } from './models/load-family.ts';
export type { KnownSpec as ModelSpec } from './models/families.ts';
export type { KnownSettings as RunSettings } from './models/choices.ts';
export type {
  KnownModel as StoredModel,
  KnownTraining as StoredTraining,
} from './models/stored-model.ts';
export {
  controlsFor,
  controlsNamed,
  type Environment,
  parseFlag,
  type FixedProfile,
  PROFILE_NAMES,
  type ProfileName,
  profiles,
} from './settings/controls.ts';
export { profileControls } from './models/choices.ts';
export {
  averageDeltas,
  closeRound,
  type Contribution,
  type Delta,
  deltaOf,
  dequantise,
  memberDataSeed,
  type OuterOptions,
  type OuterState,
  parametersDigest,
  quantiseDelta,
  startOuter,
} from './train/local-sgd.ts';
export {
  decodeDelta,
  decodeOuter,
  encodeDelta,
  encodeOuter,
  OUTER_FILE,
} from './train/delta-file.ts';
export { formatProfile, type KernelProfile } from './train/profile.ts';
export { type InspectedTraining, inspectTraining } from './models/inspect-training.ts';
export { type MemoryBreakdown, type TrainingPlan } from './train/plan-programs.ts';
export { estimateTraining } from './planning.ts';
export { requireRoom } from './models/room.ts';

export { decayOf } from './neurons/decay.ts';
export type { IzhikevichPreset } from './neurons/izhikevich-presets.ts';
export { alif, type AlifOptions } from './ops/alif.ts';
export { type EnergyInputs, energyGate, type EnergyOptions } from './ops/energy-gate.ts';
export {
  evoLif,
  type EvoLifParameters,
  evoLifStart,
  type LeakAndThreshold,
  variedLif,
} from './ops/evo-lif.ts';
export { integerLif, type IntegerLifOptions, integerMembraneShape } from './ops/integer-lif.ts';
export { izhikevich, type IzhikevichOptions } from './ops/izhikevich.ts';
export { lif, type LifOptions } from './ops/lif.ts';
export type { LayerOptions } from './ops/neuron-layer.ts';
export {
  adaptDecay,
  type DecayRange,
  type RewardInputs,
  type RewardSignal,
  rewardSignal,
  type RewardSignalOptions,
} from './ops/reward.ts';
export {
  type EntangledInputs,
  entangledSynchrony,
  type Synchrony,
  synchrony,
  type SynchronyInputs,
  type SynchronyOptions,
} from './ops/synchrony.ts';
export { bcm, bcmDefaults, type BcmOptions, type BcmState } from './plasticity/bcm.ts';
export {
  adaptThreshold,
  normaliseIncoming,
  scaleSynapses,
  type ScalingSite,
  type SynapticScaling,
  type ThresholdAdaptation,
  thresholdAdaptation,
} from './plasticity/homeostasis.ts';
export { plasticityRules } from './plasticity/simulator-rules.ts';
export { type RewardedSynapses, type RewardOptions, rewardStdp } from './plasticity/reward.ts';
export {
  type PairRule,
  pairRule,
  stdp,
  type StdpOptions,
  type StdpRule,
  type StdpTraces,
  type TripletRule,
  tripletRule,
} from './plasticity/stdp.ts';
export {
  type CompressedRows,
  constantIndex,
  type RuleSite,
  type StepSpikes,
  type SynapseIndex,
  type Synapses,
  unbounded,
} from './plasticity/synapses.ts';
export {
  type EpropBatch,
  type EpropRun,
  type EpropSettings,
  openEprop,
} from './plasticity/eprop/run.ts';
export type { EpropStructure } from './plasticity/eprop/structure.ts';
export {
  type DiehlCookNetwork,
  type DiehlCookOptions,
  openDiehlCook,
} from './models/diehl-cook/network.ts';
export { diehlCook100, type DiehlCookStructure } from './models/diehl-cook/structure.ts';
export type {
  NeuronModel,
  NeuronParameter,
  NeuronState,
  NeuronStep,
} from './graph/neuron-model.ts';
export {
  type CatalogueModel,
  type CatalogueName,
  neuronCatalogue,
  neuronModel,
} from './neurons/catalogue.ts';
export { checkModel } from './neurons/check-model.ts';
export { izhikevichPresets } from './neurons/izhikevich-presets.ts';

export * from './simulator/index.ts';
export { keyOf, philox, uniformFrom } from './random/philox.ts';

export { type Code, type Codec, type CodecShape, openCodec } from './encoders/codec.ts';
export { deltaDecode, deltaEncode, type DeltaOptions } from './encoders/delta.ts';
export {
  latencyDecode,
  latencyEncode,
  type LatencyOptions,
  type LatencyTable,
  latencyTable,
} from './encoders/latency.ts';
export { rateDecode, rateEncode, type RateOptions } from './encoders/rate.ts';
export { tasDecode, tasEncode, type TasOptions } from './encoders/tas.ts';
export {
  auditoryDefaults,
  type AuditoryFront,
  auditoryFront,
  type AuditoryFrontOptions,
  centreFrequencies,
  type Ear,
  openAuditoryFront,
} from './functional/auditory-front.ts';
export {
  decodeMotor,
  type Hand,
  linearDecoder,
  type MotorDecoder,
  openMotorDecoder,
  populationVector,
} from './functional/motor-decoder.ts';
export {
  type Eye,
  openVisionFront,
  visionCells,
  visionDefaults,
  type VisionFront,
  visionFront,
  type VisionFrontOptions,
} from './functional/vision-front.ts';
export { conv2d, conv2dImage, type Conv2dOptions } from './ops/conv2d.ts';
export { type DistillationOptions, distillationLoss } from './ops/distillation.ts';
export { averagePool2d, pool2dImage, type Pool2dOptions, sumPool2d } from './ops/pool2d.ts';
export { delaySteps, recurrentLif, type RecurrentLifOptions } from './ops/recurrent-lif.ts';
export type { Image, Pair } from './ops/window.ts';

export type {
  NirEdge,
  NirGraph,
  NirNode,
  NirPrimitive,
  NirTensor,
  PrimitiveName,
} from './nir/graph.ts';
export { type DenseLayer, nirOfLayers, nirOfSpikingMlp } from './nir/layers.ts';
export { type NetworkExport, nirOfNetwork } from './nir/export-network.ts';
export { type NirExport, nirOfModel, nirOfSpikingConv } from './nir/export-model.ts';
export { type Discretisation, RESET_RULES, type ResetRule } from './nir/neurons.ts';
export { type NirNetwork, type NirOptions, type NirSignals, openNir } from './nir/open-nir.ts';
export { type NirPlan, type PlannedNode, planNir } from './nir/plan.ts';
export { type NirFile, readNir } from './nir/read-graph.ts';
export {
  isTreeGroup,
  isTextSet,
  type NumberData,
  type NumberSet,
  type TextSet,
  type TreeEntry,
  type TreeGroup,
} from './nir/tree.ts';
export { NIR_VERSION, writeNir } from './nir/write-graph.ts';
export { decodeSafetensors, encodeSafetensors } from './checkpoint/safetensors.ts';
export {
  decodeSpikingMlp,
  encodeSpikingMlp,
  type StoredSpikingMlp,
} from './models/spiking-mlp/stored.ts';

export * from './plugins/platform.ts';
export * from './classifiers.ts';
export * from './evaluation.ts';
export * from './media.ts';
export * from './text.ts';
export * from './families.ts';
export * from './transformer.ts';
export * from './captions.ts';
