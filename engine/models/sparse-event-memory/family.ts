import { openText } from '../../datasets/text-data.ts';
import type { ModelFamily, TextData } from '../../families/family.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import type { RunSettings } from '../../train/run-settings.ts';
import type { TrainingControls } from '../../train/settings.ts';
import { startTextRun } from '../../train/text-run.ts';
import { createTextGenerator } from '../dense-chronospike/generator.ts';
import { keptTensors, startFixedPart } from './kept.ts';
import { layOutFixedPart } from './fixed-part.ts';
import { sparseParameters } from './parameters.ts';
import { sparsePlan } from './plan.ts';
import { traceSparseEvaluation, traceSparseTraining } from './programs.ts';
import { createSparseReading, traceSparseToken } from './reading-programs.ts';
import { sparseSettings } from './settings.ts';
import { sparseSpecOf } from './spec.ts';

export const sparseFamily: ModelFamily<TextData> = {
  ...sparsePlan,
  openData: openText,
  createRun(options, { corpus }) {
    const traced = traceSparseRun(options.settings, options.controls, corpus.tokenizer.size);
    const { structure, fixed, shape, generate } = traced;
    return startTextRun(options, corpus, {
      ...traced,
      sequence: shape.sequence,
      timeSteps: 1,
      spec: (tokenizer) => sparseSpecOf(structure, shape.sequence, tokenizer),
      kept: keptTensors(structure, fixed),
      start: (player) => startFixedPart(player, structure, fixed),
      generator: (player) => createTextGenerator(player, generate, corpus.tokenizer),
    });
  },
};

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
