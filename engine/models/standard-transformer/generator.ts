import type { Player } from '../../graph/backend.ts';
import type { TextTokenizer } from '../../data/tokenizers/text-tokenizer.ts';
import { createGenerator, type TextGenerator } from '../dense-chronospike/generator.ts';
import { createCachedReader } from './cached-reader.ts';
import { PREFILL_ROWS } from './generation-programs.ts';
import type { TransformerReading } from './reading-programs.ts';
import type { TransformerStructure } from './structure.ts';

/** Streams text from loaded programs, see generation-programs.ts. */
export function createTransformerGenerator(
  player: Player,
  { structure, programs }: TransformerGeneration,
  tokenizer: TextTokenizer,
): TextGenerator {
  const reader = createCachedReader(player, { structure, slots: 1, programs });
  const { vocabulary } = structure;
  let read: ReturnType<typeof reader.prefill> | undefined;
  const next = (tokens: Uint32Array) => {
    read = reader.prefill(0, tokens);
  };
  return createGenerator(
    {
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
    },
    tokenizer,
  );
}

interface TransformerGeneration {
  readonly structure: TransformerStructure;
  readonly programs: readonly TransformerReading[];
}

/** Tokens of a prompt that may be queued before the device is waited for. */
const PROMPT_QUEUE = 2 * PREFILL_ROWS;
