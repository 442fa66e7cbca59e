import type { Backend } from '../../backends/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { structureFromSpec } from '../../checkpoint/model-spec.ts';
import { createTextGenerator, type TextGenerator } from './generator.ts';
import { traceGeneration } from './programs.ts';

/** A stored model made ready to write text. */
export interface LanguageModel extends TextGenerator {
  close(): void;
}

/** Builds a model from its own model_spec and loads its parameters onto a device. */
export async function openLanguageModel(
  backend: Backend,
  { spec, layout, values, tokenizer }: StoredModel,
): Promise<LanguageModel> {
  const traced = traceGeneration(layout, structureFromSpec(spec));
  const player = await backend.load(layout, [traced.program]);
  player.write(layout.values, values);
  return { ...createTextGenerator(player, traced, tokenizer), close: () => player.close() };
}
