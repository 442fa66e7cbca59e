/** Classifiers of images, for index.ts. */
export { type LabelledImages, openLabelledImages } from './data/images/labelled-images.ts';
export type { Classifier } from './models/classifier.ts';
export { type ClassAnswer, type ClassModel, type Media, softmax } from './models/class-answer.ts';
export {
  checkMedia,
  classNamesOf,
  type ClassSpec,
  isClassSpec,
  labelsOf,
  mediaOf,
  openClassModel,
  shownMedia,
} from './models/class-model.ts';
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
export {
  type ClassifierOptions,
  type ClassifierRun,
  type ClassifierSettings,
  createClassifierRun,
  type TrainedClassifier,
  tutorialSettings,
} from './train/classifier-run.ts';
