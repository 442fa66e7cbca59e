import { wordsPerRow } from '../../graph/tensor.ts';
import type { Attributes } from '../../kernels/kernels.ts';
import { type Binder, over } from './commands.ts';
import { MARGIN, roundUp, SLAB, TILE_COLUMNS, TILE_ROWS } from './sizes.ts';

const SPILL_BYTES = 256;

interface Heads {
  readonly steps: number;
  readonly batch: number;
  readonly heads: number;
}

/** One item for each head of each sequence at each time step. */
function perHead<A extends Heads>(scratch: (a: A) => number): Binder<A> {
  return over((a) => a.steps * a.batch * a.heads, { scratch });
}

type Attention = Attributes<'spike_attention_forward'>;

/** Bytes for the bits of `parts` of query, key and value, the decay, and what else there is for each token. */
const bitScratch = (parts: number) => (a: Attention) => {
  const { sequence, headWidth } = a;
  const words = wordsPerRow(headWidth);
  const line = roundUp(sequence, SLAB) + MARGIN;
  const lines = parts * words + 1 + sequence + headWidth;
  const fired = words * roundUp(sequence, SLAB);
  return 4 * (SLAB + Math.max(lines, parts * words + 1 + TILE_ROWS) * line + fired) + SPILL_BYTES;
};

function carriedScratch({ sequence, headWidth }: Attention): number {
  const words = wordsPerRow(headWidth);
  const line = 32 * words + MARGIN;
  const tokens = roundUp(sequence, SLAB) + MARGIN;
  // Square states, values of all tokens, lists of events, six rows of sums.
  const floats = (2 * headWidth + sequence + TILE_ROWS) * line + 2 * words * tokens;
  return 4 * (floats + words * roundUp(sequence, SLAB)) + SPILL_BYTES;
}

export const attentionBinders = {
  spike_attention_forward: perHead(bitScratch(3)),
  spike_attention_backward_scores: perHead(bitScratch(1)),
  spike_attention_backward: perHead(bitScratch(2)),
  spike_attention_step: perHead<Attributes<'spike_attention_step'>>(
    ({ headWidth }) => 4 * (3 * 32 + 1) * wordsPerRow(headWidth),
  ),
  carried_attention_forward: perHead(carriedScratch),
  carried_attention_backward: perHead(carriedScratch),
  carried_attention_update: perHead(carriedScratch),
  attention_scores: over((a: Attributes<'attention_scores'>) => a.batch * a.heads, {
    scratch: (a) => 4 * roundUp(a.sequence, TILE_COLUMNS) * a.headWidth + SPILL_BYTES,
  }),
  attention_values: over((a: Attributes<'attention_values'>) => a.batch * a.heads, {
    scratch: () => SPILL_BYTES,
  }),
  cached_attention: over((a: Attributes<'cached_attention'>) => a.rows * a.heads, {
    // Scores are worked on four at a time.
    scratch: (a) => 4 * (a.sequence + 4),
  }),
};
