/**
 * Inference at the edge, on one thread of WASM. No training, no shaders, no
 * reference; a Worker that imports this stays small.
 */
export { CAPTION_MARK } from './data/captions/caption-batches.ts';
export { decodePng } from './data/images/png.ts';
export { decodeWav } from './data/audio/wav.ts';
export { openWasmBackend } from './backends/wasm/wasm-backend.ts';
export { MODEL_FILES, textModelOf, type TextSpec } from './checkpoint/checkpoint.ts';
export { unpackModel } from './models/stored-model.ts';
export { type CheckpointFiles, MANIFEST } from './checkpoint/files.ts';
export type { BatchedModel } from './models/language/batched-model.ts';
export type { ClassModel, Media } from './models/classification/prediction.ts';
export { softmax } from './numbers.ts';
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
export { isPrefixedSpec, prefixInputsOf } from './models/captioning/prefix-inputs.ts';
export { openBatchedModel, openLanguageModel } from './models/open-model.ts';
export { type Sequence, Writing } from './models/language/writing.ts';
export type { KnownModel as StoredModel } from './models/stored-model.ts';
