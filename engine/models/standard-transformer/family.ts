import { defineFamily } from '../family.ts';
import { transformerDescription } from './description.ts';
import { readFields } from '../../settings/fields.ts';
import { checkRun, type RunSettings } from '../../settings/run-settings.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { transformerFields } from './description.ts';
import { transformerParameters } from './parameters.ts';
import { transformerMemory } from './sizes.ts';
import { transformerFromSpec, TransformerSpec } from './spec.ts';
import { checkTransformerStructure, type TransformerStructure } from './structure.ts';

/** The structure that the settings ask for, over an alphabet of `vocabulary` characters. */
export function structureOf(
  { architecture, fields }: RunSettings,
  vocabulary: number,
): TransformerStructure {
  const given = readFields(architecture, transformerFields, fields);
  const { d_model: width, n_heads: heads, num_blocks: blocks, seq_len: sequence } = given;
  return { vocabulary, width, heads, blocks, sequence };
}

function check(settings: RunSettings): void {
  checkRun(settings);
  checkTransformerStructure(structureOf(settings, 1));
}

export const standardTransformer = defineFamily(transformerDescription, {
  spec: TransformerSpec,
  parameters(spec) {
    const structure = transformerFromSpec(spec);
    checkTransformerStructure(structure);
    return transformerParameters(structure);
  },
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  check,
  plan(settings, _controls, { vocabulary = 256 }) {
    check(settings);
    return planMemory(transformerMemory(structureOf(settings, vocabulary), settings.batch));
  },
});
