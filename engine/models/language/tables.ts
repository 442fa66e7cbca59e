import type { StoredTraining } from '../../checkpoint/checkpoint.ts';
import type { StoredBuffers } from '../../checkpoint/parameters-file.ts';
import type { NgramSpec } from '../../checkpoint/spec-members.ts';
import { EngineError } from '../../errors.ts';
import { createNgramModel, type NgramModel } from '../../ngrams/kneser-ney.ts';
import type { NgramTrie } from '../../ngrams/trie.ts';
import { ngramsOf, ngramSpecIn, ngramSpecOf, storedNgrams } from '../../ngrams/stored.ts';
import { createNgramPriors, meanPriorLoss, type NgramPriors } from './ngram-prior.ts';
import type { BatchShape } from './text-programs.ts';

/** The n-gram tables of a run. */
export interface Tables {
  readonly model: NgramModel;
  readonly priors: NgramPriors;
  /** Member of the model_spec, and tensors of the checkpoint. */
  readonly spec: { readonly ngrams: NgramSpec };
  readonly constants: StoredBuffers;
  /** Priors of a batch of training. */
  toLearnFrom: NgramPriors['of'];
  /** Nats a token of the tables alone. */
  lossOf(priors: Float32Array, targets: Uint32Array): number;
}

/** The text that a run learns from. */
interface TableSource {
  /** SHA-256 of all of it. */
  readonly digest: string;
  /** Counts the n-grams of the part to learn from. */
  count(order: number): NgramTrie | Promise<NgramTrie>;
}

interface TableOptions {
  readonly order: number | undefined;
  readonly shape: BatchShape;
  readonly resume: StoredTraining | undefined;
}

/**
 * The tables of a run, counted in the text that it learns from, or those of the model that it continues;
 * undefined where it has none. Throws EngineError `checkpoint-mismatch` where that model has others.
 */
export async function openTables(
  { digest, count }: TableSource,
  { order = 0, shape, resume }: TableOptions,
): Promise<Tables | undefined> {
  const stored = resume && ngramSpecIn(resume.spec);
  if (resume) checkOrder(order, stored?.order ?? 0);
  if (order === 0) return undefined;
  const trie = (resume && ngramsOf(resume)) ?? (await count(order));
  const spec = stored ?? ngramSpecOf(trie, digest);
  // Of another text nothing was counted that had to be left out.
  return tablesOf(trie, { spec, shape, isCounted: spec.text_sha256 === digest });
}

interface TableParts {
  readonly spec: NgramSpec;
  readonly shape: BatchShape;
  /** True where the tables have counted what the run learns from. */
  readonly isCounted: boolean;
}

function tablesOf(trie: NgramTrie, { spec, shape, isCounted }: TableParts): Tables {
  const model = createNgramModel(trie);
  const priors = createNgramPriors(model, shape);
  return {
    model,
    priors,
    spec: { ngrams: spec },
    constants: storedNgrams(trie),
    // Whatever its rows carry, a step looks at its own tokens alone: it is the same after a resume.
    toLearnFrom({ ids, targets }) {
      return isCounted ? priors.leftOut({ ids, targets }) : priors.of({ ids, targets });
    },
    lossOf: (values, targets) => meanPriorLoss(values, targets, model.vocabulary),
  };
}

function checkOrder(asked: number, stored: number): void {
  if (asked === stored) return;
  throw new EngineError(
    'checkpoint-mismatch',
    `the checkpoint has ngram_order ${stored}, the settings ask for ${asked}`,
  );
}
