import type { Backend, Player } from '../../backends/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { structureFromSpec } from '../../checkpoint/model-spec.ts';
import type { Parameter } from '../../graph/parameters.ts';
import { wordCount } from '../../graph/tensor.ts';
import { quantise, type QuantisedWeight } from '../../ops/quantised-linear.ts';
import { createTextGenerator, type TextGenerator } from './generator.ts';
import { traceGeneration, traceQuantisedGeneration } from './programs.ts';

/** A stored model made ready to write text. */
export interface LanguageModel extends TextGenerator {
  close(): void;
}

export interface LanguageModelOptions {
  /** `int8` rounds the weights that spikes feed: a quarter of the bytes to read, and not quite the same text. */
  readonly weights?: 'float32' | 'int8';
}

/** Builds a model from its own model_spec and loads its parameters onto a device. */
export async function openLanguageModel(
  backend: Backend,
  { spec, layout, values, tokenizer }: StoredModel,
  { weights = 'float32' }: LanguageModelOptions = {},
): Promise<LanguageModel> {
  const structure = structureFromSpec(spec);
  const traced =
    weights === 'int8'
      ? traceQuantisedGeneration(layout, structure)
      : { ...traceGeneration(layout, structure), quantised: new Map<string, QuantisedWeight>() };
  const player = await backend.load(layout, [traced.program]);
  player.write(layout.values, values);
  for (const [name, weight] of traced.quantised) {
    writeQuantised(player, weight, valuesOf(layout.get(name), values));
  }
  return { ...createTextGenerator(player, traced, tokenizer), close: () => player.close() };
}

function writeQuantised(player: Player, weight: QuantisedWeight, values: Float32Array): void {
  const { words, scale } = quantise(values, weight.outputs);
  player.write(weight.words, words);
  player.write(weight.scale, scale);
}

/** The values of one parameter in the block of all. */
function valuesOf({ value, offsetBytes }: Parameter, block: Float32Array): Float32Array {
  const first = offsetBytes / Float32Array.BYTES_PER_ELEMENT;
  return block.subarray(first, first + wordCount(value));
}
