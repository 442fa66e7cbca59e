import type { TextData } from '../../checkpoint/run-data.ts';
import { controlsOf, settingsOf } from '../../checkpoint/training-state.ts';
import { openText } from '../../datasets/text-data.ts';
import { EngineError } from '../../errors.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import type { RunSettings } from '../../settings/run-settings.ts';
import type { FamilyTraining } from '../family.ts';
import type { StepRules } from '../language/loss-rule.ts';
import { startTextRun } from '../language/text-run.ts';
import { modelOf } from '../stored-model.ts';
import { distillationOf } from './distillation.ts';
import {
  standardTransformer,
  structureOf,
  transformerFromSpec,
  transformerSpecOf,
} from './family.ts';
import { traceTransformerGeneration } from './reading-programs.ts';
import { traceTransformerEvaluation, traceTransformerTraining } from './programs.ts';
import { createTransformerGenerator } from './reading.ts';
import { transformerParameters } from './structure.ts';

export const training: FamilyTraining<TextData> = {
  openData(files, settings, options) {
    if (!options?.tokenizer) return openText(files, settings, options);
    throw new EngineError(
      'invalid-setting',
      `${settings.architecture} makes its vocabulary of the text: expected no tokenizer to be given`,
    );
  },
  createRun(options, { corpus }) {
    const { settings, controls } = options;
    standardTransformer.check(settings);
    const { tokenizer } = corpus;
    const { sequence, ngramOrder } = structureOf(settings, 1);
    const lossOf = distillationOf(options, corpus, { sequence, ngramOrder });
    const traced = traceTransformerRun(settings, { ...controls, lossOf }, tokenizer.size);
    const { structure, generate } = traced;
    return startTextRun(options, corpus, {
      ...traced,
      sequence,
      timeSteps: 1,
      ngramOrder: structure.ngramOrder,
      spec: (reference) => transformerSpecOf(structure, reference),
      views: (player, tables) => ({
        generator: createTransformerGenerator(
          player,
          { structure, programs: generate, tables },
          tokenizer,
        ),
      }),
    });
  },
  stepPrograms(stored) {
    const { layout, spec, execution } = modelOf(stored, 'standard_transformer');
    const { batch } = settingsOf(execution, spec.architecture);
    const structure = transformerFromSpec(spec);
    return [traceTransformerTraining(layout, structure, batch, controlsOf(execution)).program];
  },
};

/** Everything that a run plays, traced over an alphabet of `vocabulary` characters. */
export function traceTransformerRun(settings: RunSettings, rules: StepRules, vocabulary: number) {
  const structure = structureOf(settings, vocabulary);
  const layout = layOutParameters(transformerParameters(structure));
  const train = traceTransformerTraining(layout, structure, settings.batch, rules);
  const evaluate = traceTransformerEvaluation(layout, structure, settings.batch);
  const generate = traceTransformerGeneration(layout, structure);
  const programs = [train, evaluate, ...generate].map(({ program }) => program);
  return { structure, layout, train, evaluate, generate, programs };
}
