import type { Backend } from '../../backends/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { writeKept } from '../../train/kept-tensors.ts';
import { createTextGenerator } from '../dense-chronospike/generator.ts';
import type { LanguageModel } from '../dense-chronospike/language-model.ts';
import { layOutFixedPart } from './fixed-part.ts';
import { keptTensors } from './kept.ts';
import { createSparseReading, traceSparseToken } from './reading-programs.ts';
import { type SparseSpec, sparseStructureFrom } from './spec.ts';

/** Builds a model from its own model_spec and loads parameters, codes and synapses onto a device. */
export async function openSparseModel(
  backend: Backend,
  { spec, layout, values, kept, tokenizer }: StoredModel<SparseSpec>,
): Promise<LanguageModel> {
  const structure = sparseStructureFrom(spec);
  const fixed = layOutFixedPart(structure);
  const traced = traceSparseToken(createSparseReading({ structure, layout, fixed }, 1), 1);
  const player = await backend.load(layout, [traced.program]);
  player.write(layout.values, values);
  writeKept(player, keptTensors(structure, fixed), kept);
  return { ...createTextGenerator(player, traced, tokenizer), close: () => player.close() };
}
