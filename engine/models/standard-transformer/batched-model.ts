import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { BatchedModel, BatchedModelOptions } from '../batched-model.ts';
import {
  checkReads,
  checkSlot,
  checkSlots,
  checkToken,
  createTurnstile,
  readingSizes,
  type SlotRead,
} from '../slot-reads.ts';
import { createCachedReader } from './cached-reader.ts';
import { PREFILL_ROWS } from './generation-programs.ts';
import { createKeyValueCache, traceTransformerReading } from './reading-programs.ts';
import { checkWeights } from './reading-weights.ts';
import { transformerFromSpec, type TransformerSpec } from './spec.ts';
import { transformerUse } from './work.ts';

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
