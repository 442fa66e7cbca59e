import type { Backend } from '../../backends/backend.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import {
  checkReads,
  checkSlot,
  checkSlots,
  checkToken,
  createTurnstile,
  readingSizes,
  type SlotRead,
} from '../slot-reads.ts';
import { createCachedReader, PREFILL_ROWS } from './cached-reader.ts';
import { createKeyValueCache, traceTransformerReading } from './reading-programs.ts';
import type { TransformerStructure } from './structure.ts';

/**
 * A float transformer that reads one token for each of some sequences at a time; each sequence has a slot
 * with its keys and values. What a sequence gets does not depend on who shares the batch. One call at a
 * time: another one is refused with `generator-busy` until the first has been answered.
 */
export interface BatchedTransformer {
  readonly slots: number;
  readonly structure: TransformerStructure;
  /** The next token that `slot` reads begins a new sequence. */
  clear(slot: number): void;
  /**
   * Reads a token for each of some slots and gives the logits of the token after it, `[reads,
   * vocabulary]` in the order of the reads. Throws EngineError `invalid-setting` for a slot that there
   * is not or that is named twice, and for a token outside the alphabet.
   */
  read(reads: readonly SlotRead[]): Promise<Float32Array>;
  /** The same for tokens of a prompt, whose logits nobody asks for: does not wait for the device. */
  pass(reads: readonly SlotRead[]): void;
  /** Reads a whole prompt into a slot, many tokens at once, and gives the logits of the token after it. */
  prefill(slot: number, tokens: Uint32Array): Promise<Float32Array>;
  /** Waits until all tokens passed so far have been read. */
  settled(): Promise<void>;
  close(): void;
}

/** A model's shape and its trained numbers. */
export interface TransformerValues {
  readonly structure: TransformerStructure;
  readonly layout: ParameterLayout;
  /** The parameter block. */
  readonly values: Float32Array;
}

/** Loads a model's parameters and a cache for `slots` sequences, once for all sizes of batches. */
export async function openBatchedTransformer(
  backend: Backend,
  { structure, layout, values }: TransformerValues,
  slots: number,
): Promise<BatchedTransformer> {
  checkSlots(slots);
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
  return {
    slots,
    structure,
    clear(slot) {
      checkSlot(slot, slots);
      reader.clear(slot);
    },
    read: (reads) =>
      alone(async () => {
        checkReads(reads, slots, vocabulary);
        const { logits } = reader.read(reads);
        // Logits are always read as f32.
        return ((await player.read(logits)) as Float32Array).subarray(0, reads.length * vocabulary);
      }),
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
    close: () => player.close(),
  };
}
