/** Sounds and pictures as networks take them, for index.ts. */
export {
  checkMelOptions,
  featuresOf,
  framesOf,
  type MelOptions,
  mfccDefaults,
} from './data/audio/mel.ts';
export { melFeatures } from './data/mel-features.ts';
export {
  type LabelledPictures,
  openPictureFolder,
  type PictureFolderOptions,
} from './data/images/image-folder.ts';
export { type PictureShape, resizePicture } from './data/images/resize-image.ts';
export { decodePng, type Picture } from './data/images/png.ts';
export { resample } from './data/audio/resample.ts';
export { decodeWav, type Sound } from './data/audio/wav.ts';
export { melFront, type MelListener, openMelFront } from './functional/mel-front-end.ts';
