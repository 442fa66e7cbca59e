import type { Graph } from '../../graph/graph.ts';
import { type Tensor, wordCount } from '../../graph/tensor.ts';
import { memoryKernels } from '../../kernels/memory.ts';
import type { NgramModel } from '../../ngrams/kneser-ney.ts';
import type { BatchShape } from './text-programs.ts';

/** Adds log-probabilities of n-grams to logits of the same shape, in place: the gradient of both is one. */
export function addPrior(graph: Graph, logits: Tensor, prior: Tensor | undefined): void {
  if (!prior) return;
  graph.call(memoryKernels.add, { addend: prior, target: logits }, { count: wordCount(logits) });
}

/** The input for them; undefined where the model has no tables. */
export function priorInput(
  graph: Graph,
  { ngramOrder = 0, vocabulary }: { readonly ngramOrder?: number; readonly vocabulary: number },
  rows: number,
): Tensor | undefined {
  return ngramOrder > 0 ? graph.local('prior', 'f32', [1, rows, vocabulary]) : undefined;
}

/** Tokens of some rows, which begin a text or go on. */
interface PriorBatch {
  readonly ids: Uint32Array;
  readonly targets: Uint32Array;
  /** `u32[batch]`: 1 where a row does not go on from its last tokens; all begin anew where it is left out. */
  readonly begins?: Uint32Array;
}

/** Computes the priors of batches on the host. */
export interface NgramPriors {
  /** Log-probabilities `f32[batch * sequence, vocabulary]`, in an array that the next batch overwrites. */
  of(batch: PriorBatch): Float32Array;
  /** The same to learn from: of each target, the occurrence at hand is not counted. */
  leftOut(batch: PriorBatch): Float32Array;
}

export function createNgramPriors(model: NgramModel, { batch, sequence }: BatchShape): NgramPriors {
  const { vocabulary, order } = model;
  const values = new Float32Array(batch * sequence * vocabulary);
  const outputs = Array.from({ length: batch * sequence }, (_, row) =>
    values.subarray(row * vocabulary, (row + 1) * vocabulary),
  );
  const before = order - 1;
  /** Of each row, the last tokens before it and its own, and how many of the former are of its text. */
  const texts = Array.from({ length: batch }, () => new Uint32Array(before + sequence));
  const known = new Uint32Array(batch);
  const fill = ({ ids, targets, begins }: PriorBatch, isLeftOut: boolean) => {
    for (const [row, tokens] of texts.entries()) {
      const first = row * sequence;
      tokens.copyWithin(0, sequence);
      tokens.set(ids.subarray(first, first + sequence), before);
      if (begins?.[row] !== 0) known[row] = 0;
      const start = before - (known[row] ?? 0);
      known[row] = Math.min(before, (known[row] ?? 0) + sequence);
      for (let i = 0; i < sequence; i++) {
        const context = { tokens, start, end: before + i + 1 };
        const skipped = isLeftOut ? targets[first + i] : undefined;
        model.logProbabilities(context, outputs[first + i] as Float32Array, skipped);
      }
    }
    return values;
  };
  return { of: (asked) => fill(asked, false), leftOut: (asked) => fill(asked, true) };
}

/** Nats a token of the tables alone. */
export function meanPriorLoss(
  priors: Float32Array,
  targets: Uint32Array,
  vocabulary: number,
): number {
  let nats = 0;
  for (const [row, target] of targets.entries()) nats -= priors[row * vocabulary + target] ?? 0;
  return nats / targets.length;
}
