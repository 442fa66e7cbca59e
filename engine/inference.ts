/**
 * What runs at the edge: models that answer, on one thread of WASM. No training, no shaders, no
 * reference; a Worker that imports this stays small.
 */
export { EngineError, type EngineErrorCode } from './errors.ts';
export { CAPTION_MARK } from './data/captions/caption-batches.ts';
export { decodePng } from './data/images/png.ts';
export { decodeWav } from './data/audio/wav.ts';
export type { Backend } from './graph/backend.ts';
export { openWasmBackend } from './backends/wasm/wasm-backend.ts';
export {
  MODEL_FILES,
  type StoredModel,
  textModelOf,
  type TextSpec,
  unpackModel,
} from './checkpoint/checkpoint.ts';
export { type CheckpointFiles, MANIFEST } from './checkpoint/files.ts';
export type { BatchedModel } from './models/batched-model.ts';
export { type ClassModel, type Media, softmax } from './models/class-answer.ts';
export {
  checkMedia,
  classNamesOf,
  type ClassSpec,
  isClassSpec,
  labelsOf,
  mediaOf,
  openClassModel,
  shownMedia,
} from './models/class-model.ts';
export { isPrefixedSpec, prefixInputsOf } from './models/prefix-inputs.ts';
export { openBatchedModel, openLanguageModel } from './models/open-model.ts';
export type { SlotRead } from './models/slot-reads.ts';
export type { SpikeUse } from './models/dense-chronospike/spike-use.ts';
export { checkSampling, sampleToken, type Sampling } from './models/sampling.ts';
export { type RasterRows, type Sequence, Writing } from './models/writing.ts';
export type { LanguageModel } from './models/dense-chronospike/language-model.ts';
