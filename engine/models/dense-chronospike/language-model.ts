import type { Backend } from '../../graph/backend.ts';
import { modelOf, type StoredModel } from '../../checkpoint/checkpoint.ts';
import { structureFromSpec } from './spec.ts';
import { createTextGenerator, type TextGenerator } from './generator.ts';
import { createReadingContext, traceReading } from './reading-programs.ts';
import { writeWeights } from './reading-weights.ts';

/** A stored model made ready to write text. */
export interface LanguageModel extends TextGenerator {
  close(): void;
}

export interface LanguageModelOptions {
  /** `int8` rounds the weights that spikes feed: a quarter of the bytes to read, and not quite the same text. */
  readonly weights?: 'float32' | 'int8';
  /** Tokens of a prompt that a memoried model reads at once; the text does not depend on it. */
  readonly chunk?: number | undefined;
}

/**
 * Builds a model from its own model_spec and loads its parameters onto a device. Throws EngineError
 * `checkpoint-mismatch` for a model of another family.
 */
export async function openLanguageModel(
  backend: Backend,
  stored: StoredModel,
  { weights = 'float32' }: LanguageModelOptions = {},
): Promise<LanguageModel> {
  const { spec, layout, values, tokenizer } = modelOf(stored, 'dense_chronospike');
  const structure = structureFromSpec(spec);
  const context = createReadingContext(layout, structure, { slots: 1, weights });
  const traced = traceReading(context, 1);
  const player = await backend.load(layout, [traced.program]);
  writeWeights(player, context, values);
  return { ...createTextGenerator(player, traced, tokenizer), close: () => player.close() };
}
