import type { FamilyPlan } from '../../families/family.ts';
import { readFields } from '../../families/fields.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import { planPrograms } from '../../train/plan-programs.ts';
import { checkRun, type RunSettings } from '../../train/run-settings.ts';
import type { StepRules } from '../loss-rule.ts';
import { transformerFields } from './fields.ts';
import { traceTransformerGeneration } from './generation-programs.ts';
import { transformerParameters } from './parameters.ts';
import { traceTransformerEvaluation, traceTransformerTraining } from './programs.ts';
import { checkTransformerStructure, type TransformerStructure } from './structure.ts';

export const transformerPlan: FamilyPlan = {
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  check(settings) {
    checkRun(settings);
    checkTransformerStructure(structureOf(settings, 1));
  },
  plan(settings, controls, { vocabulary = 256 }) {
    transformerPlan.check(settings);
    const { layout, programs } = traceTransformerRun(settings, controls, vocabulary);
    return planPrograms(layout, programs);
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

/** The structure that the settings ask for, over an alphabet of `vocabulary` characters. */
export function structureOf(
  { architecture, fields }: RunSettings,
  vocabulary: number,
): TransformerStructure {
  const given = readFields(architecture, transformerFields, fields);
  const { d_model: width, n_heads: heads, num_blocks: blocks, seq_len: sequence } = given;
  return { vocabulary, width, heads, blocks, sequence };
}
