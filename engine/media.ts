/** Sounds and pictures as networks take them, for index.ts. */
export {
  checkMelOptions,
  featuresOf,
  framesOf,
  type MelOptions,
  mfccDefaults,
} from './data/audio/mel.ts';
export { melFeatures } from './data/audio/mel.ts';
export {
  type ImageFolder,
  openImageFolder,
  type ImageFolderOptions,
} from './data/images/image-folder.ts';
export { type ImageShape, resizeImage } from './data/images/resize-image.ts';
export { decodePng, type DecodedImage } from './data/images/png.ts';
export { resample } from './data/audio/resample.ts';
export { decodeWav, type AudioClip } from './data/audio/wav.ts';
export { melFrontEnd, type OpenMelFrontEnd, openMelFrontEnd } from './functional/mel-front-end.ts';
