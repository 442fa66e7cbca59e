import { openText } from '../../datasets/text-data.ts';
import { EngineError } from '../../errors.ts';
import type { ModelFamily, TextData } from '../../families/family.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import { lessonOf } from '../../train/distillation.ts';
import type { RunSettings } from '../../train/run-settings.ts';
import { startTextRun } from '../../train/text-run.ts';
import type { StepRules } from '../loss-rule.ts';
import { traceTransformerGeneration } from './generation-programs.ts';
import { createTransformerGenerator } from './generator.ts';
import { transformerParameters } from './parameters.ts';
import { structureOf, transformerPlan } from './plan.ts';
import { traceTransformerEvaluation, traceTransformerTraining } from './programs.ts';
import { transformerSpecOf } from './spec.ts';

/** A language model over the characters of the text it is trained on. */
export const transformerFamily: ModelFamily<TextData> = {
  ...transformerPlan,
  openData(files, settings, options) {
    if (!options?.tokenizer) return openText(files, settings, options);
    throw new EngineError(
      'invalid-setting',
      `${settings.architecture} makes its vocabulary of the text: expected no tokenizer to be given`,
    );
  },
  createRun(options, { corpus }) {
    const { settings, controls } = options;
    transformerPlan.check(settings);
    const { tokenizer } = corpus;
    const { sequence } = structureOf(settings, 1);
    const lossOf = lessonOf(options, corpus, sequence);
    const traced = traceTransformerRun(settings, { ...controls, lossOf }, tokenizer.size);
    const { structure, generate } = traced;
    return startTextRun(options, corpus, {
      ...traced,
      sequence,
      timeSteps: 1,
      spec: (reference) => transformerSpecOf(structure, reference),
      generator: (player) =>
        createTransformerGenerator(player, { structure, programs: generate }, tokenizer),
    });
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
