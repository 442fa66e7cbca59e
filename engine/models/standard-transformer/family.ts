import { openText } from '../../data/text-data.ts';
import type { ModelFamily, TextData } from '../../families/family.ts';
import { readFields } from '../../families/fields.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import type { AdamWOptions } from '../../ops/adamw.ts';
import { planPrograms } from '../../train/plan-programs.ts';
import { checkRun, type RunSettings } from '../../train/run-settings.ts';
import { startTextRun } from '../../train/text-run.ts';
import { transformerFields } from './fields.ts';
import { createTransformerGenerator, traceTransformerGeneration } from './generator.ts';
import { transformerParameters } from './parameters.ts';
import { traceTransformerEvaluation, traceTransformerTraining } from './programs.ts';
import { transformerSpecOf } from './spec.ts';
import { checkTransformerStructure, type TransformerStructure } from './structure.ts';

/** A language model over the characters of the text it is trained on. */
export const transformerFamily: ModelFamily<TextData> = {
  check(settings) {
    checkRun(settings);
    checkTransformerStructure(structureOf(settings, 1));
  },
  openData: openText,
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  plan(settings, controls, { vocabulary = 256 }) {
    transformerFamily.check(settings);
    const { layout, programs } = traceRun(settings, controls, vocabulary);
    return planPrograms(layout, programs);
  },
  createRun(options, { corpus }) {
    transformerFamily.check(options.settings);
    const { tokenizer } = corpus;
    const traced = traceRun(options.settings, options.controls, tokenizer.characters.length);
    const { structure, generate } = traced;
    return startTextRun(options, corpus, {
      ...traced,
      sequence: structure.sequence,
      timeSteps: 1,
      spec: (digest) => transformerSpecOf(structure, digest),
      generator: (player) =>
        createTransformerGenerator(player, { structure, programs: generate }, tokenizer),
    });
  },
};

/** The structure that the settings ask for, over an alphabet of `vocabulary` characters. */
function structureOf({ architecture, fields }: RunSettings, vocabulary: number) {
  const { d_model, n_heads, num_blocks, seq_len } = readFields(
    architecture,
    transformerFields,
    fields,
  );
  const structure: TransformerStructure = {
    vocabulary,
    width: d_model,
    heads: n_heads,
    blocks: num_blocks,
    sequence: seq_len,
  };
  return structure;
}

/** Everything that a run plays, traced. */
function traceRun(settings: RunSettings, optimiser: AdamWOptions, vocabulary: number) {
  const structure = structureOf(settings, vocabulary);
  const layout = layOutParameters(transformerParameters(structure));
  const { beta1, beta2, epsilon } = optimiser;
  const adamW = { beta1, beta2, epsilon };
  const train = traceTransformerTraining(layout, structure, settings.batch, adamW);
  const evaluate = traceTransformerEvaluation(layout, structure, settings.batch);
  const generate = traceTransformerGeneration(layout, structure);
  const programs = [train, evaluate, ...generate].map(({ program }) => program);
  return { structure, layout, train, evaluate, generate, programs };
}
