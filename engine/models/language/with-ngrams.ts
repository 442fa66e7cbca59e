import type { SlotRead } from '../../evaluation/text-evaluator.ts';
import { addToRows, createContexts } from '../../ngrams/contexts.ts';
import type { NgramModel } from '../../ngrams/kneser-ney.ts';
import type { BatchedModel } from './batched-model.ts';
import type { TextReader } from './generator.ts';

/** A batched model whose logits have the tables' log-probabilities in them. */
export function batchedWithNgrams(batched: BatchedModel, model: NgramModel): BatchedModel {
  const { vocabulary, slots } = batched;
  const contexts = createContexts(model, slots);
  const take = (reads: readonly SlotRead[]) => {
    for (const read of reads) contexts.read(read);
  };
  return {
    ...batched,
    clear(slot) {
      batched.clear(slot);
      contexts.clear(slot);
    },
    async read(reads) {
      const reading = batched.read(reads);
      take(reads);
      return addToRows(contexts, reads, await reading, vocabulary);
    },
    pass(reads) {
      batched.pass(reads);
      take(reads);
    },
    async observe(read) {
      const reading = batched.observe(read);
      take([read]);
      const { logits, layers } = await reading;
      return { logits: addToRows(contexts, [read], logits, vocabulary), layers };
    },
  };
}

/** The same for one text. */
export function readerWithNgrams(reader: TextReader, model: NgramModel | undefined): TextReader {
  if (!model) return reader;
  const contexts = createContexts(model, 1);
  return {
    begin(tokens, signal) {
      contexts.clear(0);
      for (const token of tokens) contexts.read({ slot: 0, token });
      return reader.begin(tokens, signal);
    },
    read(token) {
      reader.read(token);
      contexts.read({ slot: 0, token });
    },
    async logits() {
      const sums = (await reader.logits()).slice();
      contexts.add(0, sums);
      return sums;
    },
  };
}
