import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import {
  candidateLogits,
  type Codebook,
  codebookRows,
  drawCandidates,
  similarity,
} from '../../ops/codebook.ts';
import { embedding } from '../../ops/embedding.ts';
import { linear } from '../../ops/linear.ts';

/** Codes are uniform in +-127: this gives them unit variance. */
export const CODE_SCALE = Math.sqrt(3) / 127;
const CANDIDATE_STREAM = 0x43414e44;

interface SampleOptions {
  /** `u32[rows]` */
  readonly targets: Tensor;
  readonly negatives: number;
  /** As `clockInput`. */
  readonly clock: Tensor;
}

/** The vocabulary by its codes: from tokens to features and back by the one trained basis. */
export interface TiedVocabulary {
  /** `x_w = Q_w E`: `[1, rows, width]` of `ids u32[rows]`. */
  embed(ids: Tensor): Tensor;
  /** `(E h / sqrt(R)) . Q_c` for every token: `[1, rows, vocabulary]`. */
  logits(features: Tensor): Tensor;
  /** The same for the target of each row, in front, and tokens drawn for all rows: `[1, rows, 1 + negatives]`. */
  sampledLogits(features: Tensor, options: SampleOptions): Tensor;
}

/**
 * Both ways between tokens and features. Where a table `Q E` of all tokens is less work than the codes of each
 * row, the table is made first: the same products in another order.
 */
export function tiedVocabulary(graph: Graph, codebook: Codebook): TiedVocabulary {
  const { vocabulary, rank } = codebook;
  const basis = graph.parameter('basis.weight');
  const [, width = 0] = basis.shape;
  const ids = once(() =>
    graph.constant(
      'vocabulary',
      [vocabulary],
      Uint32Array.from({ length: vocabulary }, (_, id) => id),
    ),
  );
  const codes = (tokens: Tensor, scale: number) => codebookRows(graph, tokens, codebook, scale);
  const outScale = CODE_SCALE * rank ** -0.5;
  const query = (features: Tensor) => similarity(graph, features, basis);
  return {
    embed(tokens) {
      const [rows = 0] = tokens.shape;
      if (vocabulary >= rows) return linear(graph, codes(tokens, CODE_SCALE), basis);
      return embedding(graph, tokens, linear(graph, codes(ids(), CODE_SCALE), basis));
    },
    logits(features) {
      const all = codes(ids(), outScale);
      const isTableCheaper = vocabulary * (width - rank) <= width * rank;
      if (isTableCheaper) return similarity(graph, features, linear(graph, all, basis));
      return similarity(graph, query(features), all);
    },
    sampledLogits(features, { targets, negatives, clock }) {
      const asked = query(features);
      const draw = { count: negatives, vocabulary, clock, stream: CANDIDATE_STREAM };
      const candidates = drawCandidates(graph, draw);
      return candidateLogits(graph, asked, {
        targets,
        codes: codes(targets, outScale),
        candidates,
        scores: similarity(graph, asked, codes(candidates, outScale)),
        vocabulary,
      });
    },
  };
}

function once(make: () => Tensor): () => Tensor {
  let made: Tensor | undefined;
  return () => (made ??= make());
}
