import { type Classifier, traceTraining } from '../models/classifier.ts';
import { planPrograms, type TrainingPlan } from './plan-programs.ts';
import type { RunSettings } from './run-settings.ts';
import type { TrainingControls } from './settings.ts';
import { traceValidations, VALIDATION_BATCH } from './validate-examples.ts';

/** What a run of a classifier will need; one that trains privately, which takes an example at a time, needs less. */
export function planExamples(
  classifier: Classifier<unknown>,
  { batch }: RunSettings,
  controls: TrainingControls,
): TrainingPlan {
  const train = traceTraining(classifier, batch, controls);
  const validations = traceValidations(classifier, VALIDATION_BATCH, VALIDATION_BATCH);
  return planPrograms(classifier.layout, [
    train.program,
    ...validations.map(({ program }) => program),
  ]);
}
