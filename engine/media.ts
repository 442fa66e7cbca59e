/** Sounds and pictures as networks take them, for index.ts. */
export {
  checkMelOptions,
  featuresOf,
  framesOf,
  type MelOptions,
  mfccDefaults,
} from './data/mel.ts';
export { melFeatures } from './data/mel-features.ts';
export {
  type LabelledPictures,
  openPictureFolder,
  type PictureFolderOptions,
} from './data/picture-folder.ts';
export { type PictureShape, resizePicture } from './data/picture-size.ts';
export { decodePng, type Picture } from './data/png.ts';
export { resample } from './data/resample.ts';
export { decodeWav, type Sound } from './data/wav.ts';
export { melFront, type MelListener, openMelFront } from './functional/mel-front.ts';
