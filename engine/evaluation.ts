/** Figures of evaluations, and what a private training spends, for index.ts. */
export {
  type BootstrapOptions,
  bootstrapInterval,
  createMeanBootstrap,
  type Interval,
  type MeanBootstrap,
} from './evaluation/bootstrap.ts';
export {
  type CalibrationBin,
  type CalibrationFigures,
  type CalibrationMeter,
  createCalibrationMeter,
} from './evaluation/calibration.ts';
export {
  type ClassFigures,
  type ClassificationFigures,
  type ConfusionMeter,
  createConfusionMeter,
} from './evaluation/confusion.ts';
export {
  createRetrievalMeter,
  pairRetrieval,
  type RetrievalFigures,
  type RetrievalMeter,
} from './evaluation/retrieval.ts';
export {
  createTextMeter,
  type TextFigures,
  type TextMeter,
  type TextSize,
} from './evaluation/text-meter.ts';
export { epsilonAfter, noiseFor, type PrivacyTerms } from './train/privacy/accountant.ts';
