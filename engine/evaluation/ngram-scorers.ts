import { addToRows, createContexts } from '../ngrams/contexts.ts';
import type { NgramModel } from '../ngrams/kneser-ney.ts';
import type { StreamScorer, WindowScorer } from './text-evaluator.ts';

/** Streams whose logits have the tables' log-probabilities in them. */
export function streamWithNgrams<S extends StreamScorer>(scorer: S, model: NgramModel): S {
  const { vocabulary, slots } = scorer;
  const contexts = createContexts(model, slots);
  return {
    ...scorer,
    clear(slot) {
      scorer.clear(slot);
      contexts.clear(slot);
    },
    async read(reads) {
      const logits = await scorer.read(reads);
      for (const read of reads) contexts.read(read);
      return addToRows(contexts, reads, logits, vocabulary);
    },
  };
}

/** The same for windows, each without what stands before it. */
export function windowsWithNgrams<S extends WindowScorer>(scorer: S, model: NgramModel): S {
  const { vocabulary, sequence, batch } = scorer;
  const logs = new Float32Array(vocabulary);
  return {
    ...scorer,
    async read(ids) {
      const logits = (await scorer.read(ids)).slice();
      for (let at = 0; at < batch * sequence; at++) {
        const start = at - (at % sequence);
        model.logProbabilities({ tokens: ids, start, end: at + 1 }, logs);
        const first = at * vocabulary;
        for (let token = 0; token < vocabulary; token++) {
          logits[first + token] = (logits[first + token] ?? 0) + (logs[token] ?? 0);
        }
      }
      return logits;
    },
  };
}
