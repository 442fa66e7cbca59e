import type { EngineErrorCode } from '../../../../engine/index.ts';

/** Descriptions of engine errors by code, followed on screen by the engine's message with the values. */
export const enFailures = {
  'failure.shape-mismatch': 'Two parts of the model have incompatible shapes.',
  'failure.invalid-structure': 'The model cannot be built like this.',
  'failure.invalid-setting': 'A setting is not possible.',
  'failure.unknown-device': 'There is no such device.',
  'failure.no-adapter': 'This device cannot be used here.',
  'failure.device-lost': 'The device was lost.',
  'failure.shader-invalid': 'The device rejected a program.',
  'failure.out-of-memory': 'The device has too little memory for this model.',
  'failure.dataset-invalid': 'The data set cannot be used for training.',
  'failure.text-too-short': 'The text is too short.',
  'failure.text-invalid': 'The text cannot be read.',
  'failure.images-invalid': 'The images cannot be read.',
  'failure.signal-invalid': 'A signal holds a number that is out of range.',
  'failure.captions-invalid': 'The captions do not match their images or audio.',
  'failure.unknown-character': 'The model does not know one of these characters.',
  'failure.checkpoint-missing': 'A file of the checkpoint is missing.',
  'failure.checkpoint-damaged': 'The checkpoint is damaged.',
  'failure.checkpoint-mismatch': 'The checkpoint does not match.',
  'failure.storage-full': 'The storage is full.',
  'failure.generator-busy': 'The model is already generating text.',
  'failure.report-invalid': 'This is not an evaluation report.',
  'failure.plugin-refused': 'The plugin cannot be used.',
  'failure.plugin-failed': 'The plugin failed.',
  'failure.diverged': 'The loss diverged.',
} as const satisfies Readonly<Record<`failure.${EngineErrorCode}`, string>>;
