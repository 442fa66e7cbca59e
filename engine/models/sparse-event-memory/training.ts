import type { TextData } from '../../checkpoint/run-data.ts';
import { controlsOf, settingsOf } from '../../checkpoint/training-state.ts';
import { openText } from '../../datasets/text-data.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import type { TrainingControls } from '../../settings/controls.ts';
import type { RunSettings } from '../../settings/run-settings.ts';
import type { FamilyTraining } from '../family.ts';
import { createTextGenerator } from '../language/generator.ts';
import { startTextRun } from '../language/text-run.ts';
import { modelOf } from '../stored-model.ts';
import { sparseSpecOf } from './family.ts';
import { bufferTensors, layOutFixedPart, startFixedPart } from './fixed-part.ts';
import { sparseModelOf } from './reading.ts';
import { traceSparseEvaluation, traceSparseTraining } from './programs.ts';
import { createSparseReading, traceSparseToken } from './reading-programs.ts';
import { sparseParameters, sparseSettings } from './structure.ts';

export const training: FamilyTraining<TextData> = {
  openData: openText,
  createRun(options, { corpus }) {
    const traced = traceSparseRun(options.settings, options.controls, corpus.tokenizer.size);
    const { structure, fixed, shape, generate } = traced;
    return startTextRun(options, corpus, {
      ...traced,
      sequence: shape.sequence,
      timeSteps: 1,
      ngramOrder: structure.ngramOrder,
      spec: (tokenizer) => sparseSpecOf(structure, shape.sequence, tokenizer),
      buffers: bufferTensors(structure, fixed),
      start: (player) => startFixedPart(player, structure, fixed),
      views: (player, tables) => ({
        generator: createTextGenerator(player, generate, corpus.tokenizer, tables),
      }),
    });
  },
  stepPrograms(stored) {
    const model = modelOf(stored, 'sparse_event_memory');
    const { spec, execution } = model;
    const settings = settingsOf(execution, spec.architecture);
    const { learning, shape } = sparseSettings(settings, spec.vocab_size);
    const controls = controlsOf(execution);
    return [traceSparseTraining(sparseModelOf(model), shape, controls, learning).program];
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
