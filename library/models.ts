/**
 * The families of the platform. `trainText` learns from a string and writes on; `openText` opens what it stored;
 * the command line and the platform read and write the same checkpoints.
 */
export { ARCHITECTURES, type Architecture } from '../engine/models/architectures.ts';
export type { CheckpointFiles } from '../engine/checkpoint/files.ts';
export { defaultSampling, type Sampling } from '../engine/models/language/sampling.ts';
export {
  openText,
  type TextModel,
  type TextReport,
  trainText,
  type TrainTextOptions,
} from '../engine/train-text.ts';
