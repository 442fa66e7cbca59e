import type { Backend, Player } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { TextTokenizer } from '../../data/tokenizers/text-tokenizer.ts';
import { EngineError } from '../../errors.ts';
import type { SlotRead } from '../../evaluation/text-evaluator.ts';
import type { NgramModel } from '../../ngrams/kneser-ney.ts';
import { ngramModelOf } from '../../ngrams/stored.ts';
import type { FamilyReading } from '../family.ts';
import type { BatchedModel, BatchedModelOptions } from '../language/batched-model.ts';
import {
  createGenerator,
  type LanguageModel,
  type LanguageModelOptions,
  type TextGenerator,
  type TextReader,
} from '../language/generator.ts';
import {
  checkReads,
  checkSlot,
  checkSlots,
  checkToken,
  createTurnstile,
  readingSizes,
} from '../language/slot-model.ts';
import { readerWithNgrams } from '../language/with-ngrams.ts';
import { modelOf } from '../stored-model.ts';
import { transformerFromSpec, type TransformerSpec } from './family.ts';
import {
  createCachedReader,
  createKeyValueCache,
  PREFILL_ROWS,
  traceTransformerGeneration,
  traceTransformerReading,
  type TransformerReading,
} from './reading-programs.ts';
import { type TransformerStructure, transformerUse } from './structure.ts';

/** Builds a model from its own model_spec and loads its parameters onto a device. */
async function openTransformer(
  backend: Backend,
  stored: StoredModel<TransformerSpec>,
  { weights = 'float32' }: LanguageModelOptions = {},
): Promise<LanguageModel> {
  checkWeights(weights);
  const { spec, layout, values, tokenizer } = stored;
  const tables = ngramModelOf(stored);
  const structure = transformerFromSpec(spec);
  const programs = traceTransformerGeneration(layout, structure);
  const player = await backend.load(
    layout,
    programs.map(({ program }) => program),
  );
  player.write(layout.values, values);
  const generator = createTransformerGenerator(player, { structure, programs, tables }, tokenizer);
  return { ...generator, close: () => player.close() };
}

/** A float transformer as a batched model, which reads prompts faster. */
export interface BatchedTransformer extends BatchedModel {
  /** Reads a whole prompt into a slot, many tokens at once, and gives the logits of the token after it. */
  prefill(slot: number, tokens: Uint32Array): Promise<Float32Array>;
}

/** Loads a model's parameters and a cache of keys and values for each slot, once for all sizes of batches. */
export async function openBatchedTransformer(
  backend: Backend,
  { spec, layout, values }: Pick<StoredModel<TransformerSpec>, 'spec' | 'layout' | 'values'>,
  { slots, weights = 'float32' }: BatchedModelOptions,
): Promise<BatchedTransformer> {
  checkSlots(slots);
  checkWeights(weights);
  const structure = transformerFromSpec(spec);
  const { vocabulary } = structure;
  const cache = createKeyValueCache(structure, slots + 1);
  const sizes = [...new Set([...readingSizes(slots), Math.max(slots, PREFILL_ROWS)])];
  const programs = sizes.map((rows) => traceTransformerReading(layout, structure, cache, rows));
  const player = await backend.load(
    layout,
    programs.map(({ program }) => program),
  );
  player.write(layout.values, values);
  const reader = createCachedReader(player, { structure, slots, programs });
  const alone = createTurnstile();
  const read = (reads: readonly SlotRead[]) =>
    alone(async () => {
      checkReads(reads, slots, vocabulary);
      const { logits } = reader.read(reads);
      // Logits are always read as f32.
      return ((await player.read(logits)) as Float32Array).subarray(0, reads.length * vocabulary);
    });
  return {
    slots,
    vocabulary,
    layers: [],
    clear(slot) {
      checkSlot(slot, slots);
      reader.clear(slot);
    },
    read,
    pass(reads) {
      checkReads(reads, slots, vocabulary);
      reader.read(reads);
    },
    prefill: (slot, tokens) =>
      alone(async () => {
        checkSlot(slot, slots);
        for (const token of tokens) checkToken(token, vocabulary);
        const { traced, last } = reader.prefill(slot, tokens);
        const logits = (await player.read(traced.logits)) as Float32Array;
        return logits.subarray(last * vocabulary, (last + 1) * vocabulary);
      }),
    settled: () => player.settled(),
    observe: async (one) => ({ logits: await read([one]), layers: [] }),
    spikeCounts: async () => new Uint32Array(0),
    useOf: (_counts, tokens) => transformerUse(structure, tokens),
    close: () => player.close(),
  };
}

/** Weights in 8 bits are added up where spikes come: there are none here. */
function checkWeights(weights: 'float32' | 'int8'): void {
  if (weights === 'float32') return;
  throw new EngineError(
    'invalid-setting',
    `weights is ${weights}: a standard_transformer reads with float32 alone, as no spikes feed its weights`,
  );
}

/** Streams text from loaded programs, see generation-programs.ts. */
export function createTransformerGenerator(
  player: Player,
  { structure, programs, tables }: TransformerGeneration,
  tokenizer: TextTokenizer,
): TextGenerator {
  const reader = createCachedReader(player, { structure, slots: 1, programs });
  const { vocabulary } = structure;
  let read: ReturnType<typeof reader.prefill> | undefined;
  const next = (tokens: Uint32Array) => {
    read = reader.prefill(0, tokens);
  };
  const text: TextReader = {
    async begin(tokens, signal) {
      reader.clear(0);
      for (let first = 0; first < tokens.length; first += PROMPT_QUEUE) {
        if (signal?.aborted) return;
        next(tokens.subarray(first, first + PROMPT_QUEUE));
        await player.settled();
      }
    },
    read: (token) => next(Uint32Array.of(token)),
    async logits() {
      if (!read) throw new Error('logits are asked for before a token was read');
      const { traced, last } = read;
      // Logits are always read as f32.
      const logits = (await player.read(traced.logits)) as Float32Array;
      return logits.subarray(last * vocabulary, (last + 1) * vocabulary);
    },
  };
  return createGenerator(readerWithNgrams(text, tables), tokenizer);
}

interface TransformerGeneration {
  readonly structure: TransformerStructure;
  readonly programs: readonly TransformerReading[];
  readonly tables: NgramModel | undefined;
}

/** Tokens of a prompt that may be queued before the device is waited for. */
const PROMPT_QUEUE = 2 * PREFILL_ROWS;

export const reading: FamilyReading = {
  openBatched: (backend, stored, options) =>
    openBatchedTransformer(backend, modelOf(stored, 'standard_transformer'), options),
  openLanguage: (backend, stored, options) =>
    openTransformer(backend, modelOf(stored, 'standard_transformer'), options),
};
