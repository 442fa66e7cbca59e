import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { LanguageModel, LanguageModelOptions } from '../dense-chronospike/language-model.ts';
import { traceTransformerGeneration } from './generation-programs.ts';
import { createTransformerGenerator } from './generator.ts';
import { checkWeights } from './reading-weights.ts';
import { transformerFromSpec, type TransformerSpec } from './spec.ts';

/** Builds a model from its own model_spec and loads its parameters onto a device. */
export async function openTransformer(
  backend: Backend,
  { spec, layout, values, tokenizer }: StoredModel<TransformerSpec>,
  { weights = 'float32' }: LanguageModelOptions = {},
): Promise<LanguageModel> {
  checkWeights(weights);
  const structure = transformerFromSpec(spec);
  const programs = traceTransformerGeneration(layout, structure);
  const player = await backend.load(
    layout,
    programs.map(({ program }) => program),
  );
  player.write(layout.values, values);
  const generator = createTransformerGenerator(player, { structure, programs }, tokenizer);
  return { ...generator, close: () => player.close() };
}
