import type { NgramModel } from './kneser-ney.ts';

/** A token that the text of a slot goes on with. */
interface TokenRead {
  readonly slot: number;
  readonly token: number;
}

/** The last tokens of some texts, and what the tables add to the logits behind each. */
export function createContexts(model: NgramModel, slots: number) {
  const { order, vocabulary } = model;
  const before = Math.max(1, order - 1);
  const texts = Array.from({ length: slots }, () => new Uint32Array(before));
  const lengths = new Uint32Array(slots);
  const logs = new Float32Array(vocabulary);
  return {
    clear(slot: number): void {
      lengths[slot] = 0;
    },
    read({ slot, token }: TokenRead): void {
      const text = texts[slot];
      if (!text) return;
      text.copyWithin(0, 1);
      text[before - 1] = token;
      lengths[slot] = Math.min(before, (lengths[slot] ?? 0) + 1);
    },
    /** Adds log p to `logits f32[vocabulary]`. */
    add(slot: number, logits: Float32Array): void {
      const tokens = texts[slot] ?? new Uint32Array(0);
      const start = before - (lengths[slot] ?? 0);
      model.logProbabilities({ tokens, start, end: before }, logs);
      for (let token = 0; token < vocabulary; token++) {
        logits[token] = (logits[token] ?? 0) + (logs[token] ?? 0);
      }
    },
  };
}

type Contexts = ReturnType<typeof createContexts>;

/** Takes the tokens of some reads, and adds to the logits that came of them. */
export function addToRows(
  contexts: Contexts,
  reads: readonly TokenRead[],
  logits: Float32Array,
  vocabulary: number,
): Float32Array {
  const sums = logits.slice();
  for (const [row, { slot }] of reads.entries()) {
    contexts.add(slot, sums.subarray(row * vocabulary, (row + 1) * vocabulary));
  }
  return sums;
}
