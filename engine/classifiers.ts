/** Classifiers of images, for index.ts. */
export { type LabelledImages, openLabelledImages } from './data/labelled-images.ts';
export type { Classifier } from './models/classification/classifier.ts';
export {
  type Prediction,
  type ClassModel,
  type Media,
  softmax,
} from './models/classification/prediction.ts';
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
export { spikingConv } from './models/spiking-conv/classifier.ts';
export {
  type ConvBlock,
  fashionStructure,
  type SpikingConvStructure,
} from './models/spiking-conv/structure.ts';
export { spikingMlp } from './models/spiking-mlp/classifier.ts';
export {
  decodeSpikingMlp,
  encodeSpikingMlp,
  type StoredSpikingMlp,
} from './models/spiking-mlp/stored.ts';
