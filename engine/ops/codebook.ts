import { linearKernels } from '../kernels/dense.ts';
import { sparseKernels } from '../kernels/sparse.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { byteWords, describe, type Tensor, wordCount } from '../graph/tensor.ts';
import { axesOf, expectShape, expectWhole } from './shapes.ts';

/** A fixed code in signed bytes for every token of a vocabulary. */
export interface Codebook {
  readonly vocabulary: number;
  /** Features of a code. */
  readonly rank: number;
  /** `u32[vocabulary, ceil(rank / 4)]` */
  readonly words: Tensor;
}

/** Codes of `ids u32[rows]` times `scale`, `[1, rows, rank]`; an id outside reads the last. They are fixed. */
export function codebookRows(
  graph: Graph,
  ids: Tensor,
  { vocabulary, rank, words }: Codebook,
  scale: number,
): Tensor {
  const [rows = 0] = ids.shape;
  expectShape('codebookRows ids', ids, [rows], 'u32');
  expectShape('codebookRows', words, [vocabulary, byteWords(rank)], 'u32');
  const output = graph.scratch('codes', 'f32', [1, rows, rank]);
  const attributes = { rows, vocabulary, rank, scale };
  graph.call(sparseKernels.codebook_rows, { ids, codebook: words, output }, attributes);
  return output;
}

/** `count` tokens drawn uniformly from the vocabulary, with replacement, the same on every backend. */
export function drawCandidates(
  graph: Graph,
  {
    count,
    vocabulary,
    clock,
    stream,
  }: {
    readonly count: number;
    readonly vocabulary: number;
    readonly clock: Tensor;
    readonly stream: number;
  },
): Tensor {
  expectWhole('drawCandidates', 'count', count, 1);
  const ids = graph.scratch('candidates', 'u32', [count]);
  graph.call(sparseKernels.draw_candidates, { clock, ids }, { count, vocabulary, stream });
  return ids;
}

/** Products of each of `rows [1, n, width]` with each of `others [m, width]` or `[1, m, width]`: `[1, n, m]`. */
export function similarity(graph: Graph, rows: Tensor, others: Tensor): Tensor {
  const { rows: n, width } = axesOf('similarity', rows);
  const [m = 0] = others.shape.slice(-2);
  if (wordCount(rows) !== n * width || wordCount(others) !== m * width) {
    throw new EngineError(
      'shape-mismatch',
      `similarity: expected [1, n, ${width}] and [m, ${width}], got ${describe(rows)} and ${describe(others)}`,
    );
  }
  const output = graph.scratch('similarity', 'f32', [1, n, m]);
  graph.call(
    linearKernels.linear_backward_input,
    { gradient: rows, weight: others, inputGradient: output },
    { rows: n, columns: m, depth: width, accumulate: false },
  );
  graph.differentiable({
    inputs: [rows, others],
    output,
    backward(gradient, gradients) {
      gradients.into(others, (weightGradient, accumulate) =>
        graph.call(
          linearKernels.linear_backward_weight,
          { input: gradient, gradient: rows, weightGradient },
          { rows: m, columns: width, depth: n, accumulate },
        ),
      );
      if (!gradients.needs(rows)) return;
      const back = graph.scratch('gradient of rows', 'f32', rows.shape);
      graph.call(
        linearKernels.linear_forward,
        { input: gradient, weight: others, output: back },
        { rows: n, columns: width, depth: m, residualRows: 1 },
      );
      gradients.give(rows, back);
    },
  });
  return output;
}

interface CandidateScores {
  /** `u32[rows]` */
  readonly targets: Tensor;
  /** Codes of the targets, `[1, rows, rank]`. */
  readonly codes: Tensor;
  /** `u32[count]`, as `drawCandidates`. */
  readonly candidates: Tensor;
  /** Scores of the candidates, `[1, rows, count]`. */
  readonly scores: Tensor;
  readonly vocabulary: number;
}

/**
 * Logits of a sampled softmax, `[1, rows, 1 + count]`: in front the target of each row, then candidates drawn
 * uniformly. A candidate is drawn `count / vocabulary` times on average, so the logarithm of that is taken off
 * its score (log Q); one that is the target counts for nothing (Bengio & Senécal 2008). The cross-entropy of
 * class 0 goes to that of the full softmax as candidates become many.
 */
export function candidateLogits(
  graph: Graph,
  query: Tensor,
  { targets, codes, candidates, scores, vocabulary }: CandidateScores,
): Tensor {
  const { rows, width: rank } = axesOf('candidateLogits', query);
  const [count = 0] = candidates.shape;
  expectShape('candidateLogits codes', codes, [1, rows, rank]);
  expectShape('candidateLogits scores', scores, [1, rows, count]);
  expectShape('candidateLogits targets', targets, [rows], 'u32');
  const logits = graph.scratch('candidate logits', 'f32', [1, rows, 1 + count]);
  const correction = Math.log(vocabulary / count);
  graph.call(
    sparseKernels.candidate_join_forward,
    { scores, query, codes, targets, candidates, logits },
    { rows, drawn: count, rank, correction },
  );
  graph.differentiable({
    inputs: [query, scores],
    output: logits,
    backward(gradient, gradients) {
      const scoreGradient = graph.scratch('gradient of scores', 'f32', scores.shape);
      gradients.into(query, (queryGradient, accumulate) =>
        graph.call(
          sparseKernels.candidate_join_backward,
          { gradient, codes, scoreGradient, queryGradient },
          { rows, drawn: count, rank, accumulate },
        ),
      );
      gradients.give(scores, scoreGradient);
    },
  });
  return logits;
}
