import type { EngineErrorCode } from '../../../../engine/index.ts';

/** What went wrong in the engine, by its code. The engine's own words with the values follow after it. */
export const enFailures = {
  'failure.shape-mismatch': 'Two parts of the model do not fit together.',
  'failure.invalid-structure': 'The model cannot be built like this.',
  'failure.invalid-setting': 'A setting is not possible.',
  'failure.unknown-device': 'There is no such device.',
  'failure.no-adapter': 'This device cannot be used here.',
  'failure.device-lost': 'The device is gone.',
  'failure.shader-invalid': 'The device refused a program.',
  'failure.out-of-memory': 'The device has too little memory for this model.',
  'failure.dataset-invalid': 'The data set cannot be learned from.',
  'failure.text-too-short': 'The text is too short.',
  'failure.text-invalid': 'This is not a text that can be read.',
  'failure.images-invalid': 'These are no images that can be read.',
  'failure.signal-invalid': 'A signal holds a number that is out of range.',
  'failure.captions-invalid': 'The captions and their pictures or sounds do not fit together.',
  'failure.unknown-character': 'The model does not know one of these characters.',
  'failure.checkpoint-missing': 'A file of the checkpoint is missing.',
  'failure.checkpoint-damaged': 'The checkpoint is damaged.',
  'failure.checkpoint-mismatch': 'The checkpoint does not fit.',
  'failure.storage-full': 'There is no room left to store this.',
  'failure.generator-busy': 'The model is writing another text.',
  'failure.report-invalid': 'This is no evaluation report.',
  'failure.plugin-refused': 'The plugin cannot be used.',
  'failure.plugin-failed': 'The plugin failed.',
  'failure.diverged': 'The loss went out of bounds.',
} as const satisfies Readonly<Record<`failure.${EngineErrorCode}`, string>>;
