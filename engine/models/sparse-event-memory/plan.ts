import type { FamilyPlan } from '../../families/family.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import { planPrograms } from '../../train/plan-programs.ts';
import type { RunSettings } from '../../train/run-settings.ts';
import type { TrainingControls } from '../../train/settings.ts';
import { layOutFixedPart } from './fixed-part.ts';
import { sparseParameters } from './parameters.ts';
import { traceSparseEvaluation, traceSparseTraining } from './programs.ts';
import { createSparseReading, traceSparseToken } from './reading-programs.ts';
import { sparseSettings } from './settings.ts';

/** Everything that a run plays, traced. Throws as `sparseSettings`. */
export function traceSparseRun(
  settings: RunSettings,
  controls: TrainingControls,
  vocabulary: number,
) {
  const { structure, learning, shape } = sparseSettings(settings, vocabulary);
  const layout = layOutParameters(sparseParameters(structure));
  const model = { structure, layout, fixed: layOutFixedPart(structure) };
  const train = traceSparseTraining(model, shape, controls, learning);
  const evaluate = traceSparseEvaluation(model, shape);
  const generate = traceSparseToken(createSparseReading(model, 1), 1);
  const programs = [train.program, evaluate.program, generate.program];
  return { ...model, shape, train, evaluate, generate, programs };
}

export const sparsePlan: FamilyPlan = {
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  check: (settings) => {
    sparseSettings(settings, 1);
  },
  plan: (settings, controls, { vocabulary = 256 }) => {
    const { layout, programs } = traceSparseRun(settings, controls, vocabulary);
    return planPrograms(layout, programs);
  },
};
