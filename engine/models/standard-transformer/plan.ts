import type { FamilyPlan } from '../../families/family.ts';
import { readFields } from '../../families/fields.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { checkRun, type RunSettings } from '../../train/run-settings.ts';
import { transformerFields } from './fields.ts';
import { transformerMemory } from './sizes.ts';
import { checkTransformerStructure, type TransformerStructure } from './structure.ts';

export const transformerPlan: FamilyPlan = {
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  check(settings) {
    checkRun(settings);
    checkTransformerStructure(structureOf(settings, 1));
  },
  plan(settings, _controls, { vocabulary = 256 }) {
    transformerPlan.check(settings);
    return planMemory(transformerMemory(structureOf(settings, vocabulary), settings.batch));
  },
};

/** The structure that the settings ask for, over an alphabet of `vocabulary` characters. */
export function structureOf(
  { architecture, fields }: RunSettings,
  vocabulary: number,
): TransformerStructure {
  const given = readFields(architecture, transformerFields, fields);
  const { d_model: width, n_heads: heads, num_blocks: blocks, seq_len: sequence } = given;
  return { vocabulary, width, heads, blocks, sequence };
}
