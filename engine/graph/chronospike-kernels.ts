import type { Surrogate } from './kernel-attributes.ts';

/** Kernels that dense_chronospike has to itself: state carried from chunk to chunk, and relaxed spikes. */
export const chronospikeRoles = {
  clear_sequences: { begins: 'read', state: 'update' },
  last_tokens: { source: 'read', target: 'write' },
  carried_shift_forward: { previous: 'read', mix: 'read', output: 'update' },
  carried_shift_backward: { previous: 'read', gradient: 'read', change: 'write' },
  carried_attention_forward: { qkv: 'read', decay: 'read', state: 'read', output: 'update' },
  carried_attention_backward: {
    decay: 'read',
    state: 'read',
    gradient: 'read',
    qkvGradient: 'update',
  },
  carried_attention_update: { qkv: 'read', decay: 'read', state: 'update' },

  relaxed_lif_forward: { current: 'read', hardness: 'read', spikes: 'write', decay: 'read?' },
  relaxed_lif_backward: {
    current: 'read',
    hardness: 'read',
    gradient: 'read',
    currentGradient: 'write',
    decay: 'read?',
  },
  decay_scores: { decay: 'read', scores: 'update' },
} as const;

interface Tokens {
  /** Sequences of all time steps. */
  readonly rows: number;
  readonly width: number;
  /** Tokens of a sequence. */
  readonly sequence: number;
}

interface Attention {
  readonly steps: number;
  readonly batch: number;
  readonly sequence: number;
  readonly heads: number;
  /** Features of one head. */
  readonly headWidth: number;
}

interface RelaxedLif {
  /** Time steps T. */
  readonly steps: number;
  /** Rows per time step, batch times sequence. */
  readonly rows: number;
  readonly width: number;
  /** 1 where the current is the same in every step and stored once, else `steps`. */
  readonly currentSteps: number;
  /** Fraction of the membrane kept per step, where the operand `decay` is absent. */
  readonly beta: number;
  readonly threshold: number;
}

export interface ChronospikeAttributes {
  readonly clear_sequences: {
    readonly steps: number;
    readonly batch: number;
    /** Numbers of a sequence in a time step. */
    readonly width: number;
  };
  readonly last_tokens: Tokens;
  readonly carried_shift_forward: Tokens;
  readonly carried_shift_backward: Tokens;
  readonly carried_attention_forward: Attention;
  readonly carried_attention_backward: Attention;
  readonly carried_attention_update: Attention;
  readonly relaxed_lif_forward: RelaxedLif;
  readonly relaxed_lif_backward: RelaxedLif & { readonly surrogate: Surrogate };
  /** `rows` of `sequence` scores; row r is the query of token r % sequence of head r / sequence % heads. */
  readonly decay_scores: {
    readonly rows: number;
    readonly sequence: number;
    readonly heads: number;
  };
}

/** Steepness of the sigmoid of relaxed spikes: at the threshold as steep as the arctangent's surrogate. */
export const RELAXED_SLOPE = 4;
