/** Evaluations and their figures, and what a private training spends, for index.ts. */
export { isForTraining } from './checkpoint/checkpoint.ts';
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
export { type CaptionScorer, evaluateCaptions } from './evaluation/caption-evaluator.ts';
export {
  type ClassScorer,
  evaluateClassifier,
  type LabelledBatch,
} from './evaluation/classifier-evaluator.ts';
export type {
  Evaluated,
  EvaluationChoice,
  EvaluationSources,
  EvaluationWatch,
  Evaluator,
} from './evaluation/evaluator.ts';
export { type Evaluation, openEvaluation, type ReportFrame } from './models/open-evaluation.ts';
export {
  type ClassificationSection,
  type EnergySection,
  EvaluationReport,
  type LanguageSection,
  parseReport,
  type RetrievalSection,
  type StreamsSection,
  type SplitName,
  SPLITS,
  type SpikesSection,
  type Unit,
} from './evaluation/report.ts';
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
