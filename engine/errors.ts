/** The kind of an `EngineError`, for programs; its message says which value, where, and what was expected. */
export type EngineErrorCode =
  | 'shape-mismatch'
  | 'invalid-structure'
  | 'invalid-setting'
  | 'invalid-equation'
  | 'unknown-device'
  | 'no-adapter'
  | 'device-lost'
  | 'shader-invalid'
  | 'out-of-memory'
  | 'dataset-invalid'
  | 'text-too-short'
  | 'text-invalid'
  | 'images-invalid'
  | 'signal-invalid'
  | 'captions-invalid'
  | 'unknown-character'
  | 'checkpoint-missing'
  | 'checkpoint-damaged'
  | 'checkpoint-mismatch'
  | 'storage-full'
  | 'diverged'
  | 'generator-busy'
  | 'report-invalid'
  | 'plugin-refused'
  | 'plugin-failed';

/** The only error type the engine throws on purpose; callers switch on `code`, people read `message`. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
