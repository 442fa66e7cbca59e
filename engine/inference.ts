/**
 * What runs at the edge: models that write text, on one thread of WASM. No training, no shaders, no
 * reference; a Worker that imports this stays small.
 */
export { EngineError } from './errors.ts';
export type { Backend } from './backends/backend.ts';
export { openWasmBackend } from './backends/wasm/wasm-backend.ts';
export { type StoredModel, unpackModel } from './checkpoint/checkpoint.ts';
export type { CheckpointFiles } from './checkpoint/files.ts';
export {
  type LanguageModel,
  openLanguageModel,
} from './models/dense-chronospike/language-model.ts';
