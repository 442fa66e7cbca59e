import { equations } from '../kernel-language/written-kernel.ts';
import { wordsPerRow } from '../graph/tensor.ts';
import { int, kernelsOf, ROWS, SEQUENCES } from './table.ts';

const ATTENTION = {
  steps: 'int',
  batch: 'int',
  sequence: 'int',
  heads: 'int',
  /** Features of one head. */
  headWidth: 'int',
} as const;

interface Heads {
  readonly heads: number;
  readonly headWidth: number;
}

/** Words of a row of packed queries, keys and values side by side. */
const QKV = { words: int((a: Heads) => wordsPerRow(3 * a.heads * a.headWidth)) } as const;

const BY_ROWS = { over: { row: 'rows', column: 'width' } } as const;

/** Features of a head lie at `offset + head * headWidth` of rows of `stride` features. */
const HEADS = { batch: 'int', sequence: 'int', heads: 'int', headWidth: 'int' } as const;

/** Attention over spikes without softmax, and softmax attention. */
export const attentionKernels = kernelsOf('attention', {
  spike_attention_forward: {
    operands: { qkv: 'read', decay: 'read', output: 'write' },
    attributes: ATTENTION,
    derived: QKV,
  },
  spike_attention_backward_scores: {
    operands: { qkv: 'read', decay: 'read', gradient: 'read', scoreGradient: 'write' },
    attributes: ATTENTION,
    derived: QKV,
  },
  spike_attention_backward: {
    operands: {
      qkv: 'read',
      decay: 'read',
      gradient: 'read',
      scoreGradient: 'read',
      qkvGradient: 'write',
    },
    attributes: ATTENTION,
    derived: QKV,
  },
  /** One token at a time; `slots` names the sequence that each row continues. */
  spike_attention_step: {
    operands: { qkv: 'read', decay: 'read', slots: 'read', state: 'update', output: 'write' },
    attributes: { steps: 'int', batch: 'int', heads: 'int', headWidth: 'int', slots: 'int' },
    derived: QKV,
  },

  attention_scores: {
    operands: { queries: 'read', keys: 'read?', scores: 'write' },
    attributes: {
      ...HEADS,
      queryStride: 'int',
      queryOffset: 'int',
      keyStride: 'int',
      keyOffset: 'int',
      /** The scores are multiplied by it. */
      factor: 'float',
    },
  },
  /** `rows` of `width` scores; row r has the scores of token r % width for itself and those before. */
  causal_softmax_forward: { operands: { weights: 'update' }, attributes: ROWS },
  causal_softmax_backward: {
    operands: { weights: 'read', scoreGradient: 'update' },
    attributes: ROWS,
    write: equations({
      ...BY_ROWS,
      until: 'row % width + 1',
      shapes: { weights: 'f32[rows, width]', scoreGradient: 'f32[rows, width]' },
      equations: `
        mean = rowSum(weights * scoreGradient)
        seen = row % width + 1
        scoreGradient = column < seen ? weights * (scoreGradient - mean) : 0`,
    }),
  },
  attention_values: {
    operands: { weights: 'read', values: 'read', output: 'update' },
    attributes: {
      ...HEADS,
      valueStride: 'int',
      valueOffset: 'int',
      outputStride: 'int',
      outputOffset: 'int',
      /** The sums are multiplied by it. */
      factor: 'float',
      /** Sum over the queries of a key instead of the keys of a query. */
      transpose: 'flag',
    },
  },

  /**
   * Copies `width` words from `offset` on of each of `rows` rows of `stride` words into the row's cell.
   * Cell `slot * sequence + position` of a cache holds the keys and then the values of all heads.
   */
  cache_rows: {
    operands: { source: 'read', cells: 'read', cache: 'update' },
    attributes: { ...ROWS, stride: 'int', offset: 'int' },
    write: equations({
      over: { row: 'rows', column: 'width' },
      shapes: { source: 'f32[rows, stride]', cells: 'u32[rows]', cache: 'f32[_, width]' },
      equations: 'cache[cells, column] = source[row, column + offset]',
    }),
  },
  /** `sequence` is the number of cells of a sequence: a row attends to its own and those before it. */
  cached_attention: {
    operands: { qkv: 'read', cells: 'read', cache: 'read', output: 'write' },
    attributes: {
      rows: 'int',
      heads: 'int',
      headWidth: 'int',
      sequence: 'int',
      /** The scores are multiplied by it. */
      factor: 'float',
    },
  },
});

/** State that a chunk of a longer text takes over from the chunks before it, and hands on. */
export const chunkKernels = kernelsOf('chunks', {
  clear_sequences: {
    operands: { begins: 'read', state: 'update' },
    attributes: {
      steps: 'int',
      batch: 'int',
      /** Numbers of a sequence in a time step. */
      width: 'int',
    },
    write: equations({
      over: { step: 'steps', entry: 'batch', column: 'width' },
      shapes: { begins: 'u32[batch]', state: 'f32[steps, batch, width]' },
      equations: 'state = begins == 0 ? state : 0',
    }),
  },
  last_tokens: {
    operands: { source: 'read', target: 'write' },
    attributes: SEQUENCES,
    write: equations({
      ...BY_ROWS,
      shapes: { source: 'f32[rows, width]', target: 'f32[rows, width]' },
      equations: 'target = source[row * sequence + sequence - 1, column]',
    }),
  },
  carried_shift_forward: {
    operands: { previous: 'read', mix: 'read', output: 'update' },
    attributes: SEQUENCES,
    write: equations({
      ...BY_ROWS,
      shapes: { previous: 'f32[rows, width]', mix: 'f32[width]', output: 'f32[rows, width]' },
      equations: `
        first = output[row * sequence, column]
        output[row * sequence, column] = first + (1 - mix) * previous`,
    }),
  },
  carried_shift_backward: {
    operands: { previous: 'read', gradient: 'read', change: 'write' },
    attributes: SEQUENCES,
    write: equations({
      ...BY_ROWS,
      shapes: {
        previous: 'f32[rows, width]',
        gradient: 'f32[rows, width]',
        change: 'f32[rows, width]',
      },
      equations: 'change = -previous * gradient[row * sequence, column]',
    }),
  },
  carried_attention_forward: {
    operands: { qkv: 'read', decay: 'read', state: 'read', output: 'update' },
    attributes: ATTENTION,
    derived: QKV,
  },
  carried_attention_backward: {
    operands: { decay: 'read', state: 'read', gradient: 'read', qkvGradient: 'update' },
    attributes: ATTENTION,
    derived: QKV,
  },
  carried_attention_update: {
    operands: { qkv: 'read', decay: 'read', state: 'update' },
    attributes: ATTENTION,
    derived: QKV,
  },
});

/** Token and place embeddings. */
export const embeddingKernels = kernelsOf('embedding', {
  embedding_forward: {
    operands: { ids: 'read', table: 'read', output: 'write' },
    attributes: { ...ROWS, vocabulary: 'int' },
    write: equations({
      ...BY_ROWS,
      shapes: { ids: 'u32[rows]', table: 'f32[vocabulary, width]', output: 'f32[rows, width]' },
      equations: 'output = table[min(i32(ids), vocabulary - 1), column]',
    }),
  },
  token_chain: { operands: { ids: 'read', chain: 'write' }, attributes: { rows: 'int' } },
  embedding_backward: {
    operands: { ids: 'read', chain: 'read', gradient: 'read', tableGradient: 'update' },
    attributes: { ...ROWS, vocabulary: 'int' },
  },
  position_forward: {
    operands: { input: 'read', table: 'read', output: 'write' },
    attributes: SEQUENCES,
    write: equations({
      ...BY_ROWS,
      shapes: {
        input: 'f32[rows, width]',
        table: 'f32[sequence, width]',
        output: 'f32[rows, width]',
      },
      equations: 'output = input + table[row % sequence, column]',
    }),
  },
});
