import type { Tensor } from './tensor.ts';

/**
 * Every kernel a Program may call: its operands with their role, in binding order, and its static
 * attributes. This table is the whole contract between what traces programs (`ops/`) and what plays
 * them (`backends/`): each backend implements every line of it. shaders/README.md says what each computes.
 *
 * Roles: `read`, `write` (every word is overwritten), `update` (read and written); `?` marks an
 * operand that may be absent.
 */
export const kernelRoles = {
  fill: { target: 'write' },
  add: { addend: 'read', target: 'update' },
  copy: { source: 'read', target: 'write' },
  sum_steps: { source: 'read', target: 'update' },
  mean_steps_forward: { source: 'read', target: 'write' },
  mean_steps_backward: { gradient: 'read', target: 'update' },
  reduce_rows: { partial: 'read', total: 'update' },
  column_sum: { source: 'read', partial: 'write' },

  embedding_forward: { ids: 'read', table: 'read', output: 'write' },
  token_chain: { ids: 'read', chain: 'write' },
  embedding_backward: { ids: 'read', chain: 'read', gradient: 'read', tableGradient: 'update' },

  linear_forward: {
    input: 'read',
    weight: 'read',
    output: 'write',
    bias: 'read?',
    residual: 'read?',
  },
  linear_backward_input: { gradient: 'read', weight: 'read', inputGradient: 'update' },
  linear_backward_weight: { input: 'read', gradient: 'read', weightGradient: 'update' },
  spike_linear_forward: {
    spikes: 'read',
    weight: 'read',
    output: 'update',
    bias: 'read?',
    residual: 'read?',
  },
  transpose_bits: { spikes: 'read', transposed: 'write' },

  lif_forward: { current: 'read', spikes: 'write' },
  lif_backward: { current: 'read', spikeGradient: 'read', currentGradient: 'write' },
  lif_membrane: { current: 'read', membrane: 'write' },
  spike_count: { spikes: 'read', counts: 'update' },

  layer_norm_forward: {
    input: 'read',
    gain: 'read',
    offset: 'read',
    output: 'write',
    statistics: 'write',
  },
  layer_norm_backward_input: {
    input: 'read',
    gain: 'read',
    statistics: 'read',
    gradient: 'read',
    inputGradient: 'update',
  },
  layer_norm_backward_parameters: {
    input: 'read',
    statistics: 'read',
    gradient: 'read',
    gainPartial: 'write',
    offsetPartial: 'write',
  },
  rms_norm_forward: { input: 'read', gain: 'read', output: 'write', statistics: 'write' },
  rms_norm_backward_input: {
    input: 'read',
    gain: 'read',
    statistics: 'read',
    gradient: 'read',
    inputGradient: 'update',
  },
  rms_norm_backward_parameters: {
    input: 'read',
    statistics: 'read',
    gradient: 'read',
    gainPartial: 'write',
  },

  token_shift_forward: { input: 'read', mix: 'read', output: 'write' },
  token_shift_backward_input: { gradient: 'read', mix: 'read', inputGradient: 'update' },
  token_shift_backward_mix: { input: 'read', gradient: 'read', partial: 'write' },
  token_shift_step: { input: 'read', mix: 'read', previous: 'update', output: 'write' },

  spike_attention_forward: { qkv: 'read', decay: 'read', output: 'write' },
  spike_attention_backward_scores: {
    qkv: 'read',
    decay: 'read',
    gradient: 'read',
    scoreGradient: 'write',
  },
  spike_attention_backward: {
    qkv: 'read',
    decay: 'read',
    gradient: 'read',
    scoreGradient: 'read',
    qkvGradient: 'write',
  },
  spike_attention_step: { qkv: 'read', decay: 'read', state: 'update', output: 'write' },

  readout_mix_forward: { direct: 'read', deep: 'read', mix: 'read', output: 'write' },
  readout_mix_backward: {
    mix: 'read',
    gradient: 'read',
    directGradient: 'update',
    deepGradient: 'update',
  },
  readout_mix_backward_mix: {
    direct: 'read',
    deep: 'read',
    mix: 'read',
    gradient: 'read',
    partial: 'write',
  },

  cross_entropy_forward: { logits: 'read', targets: 'read', losses: 'write', scale: 'write' },
  cross_entropy_backward: {
    logits: 'read',
    targets: 'read',
    scale: 'read',
    logitsGradient: 'write',
  },
  mean_loss: { losses: 'read', clock: 'read', history: 'update' },

  squared_norm: { gradients: 'read', partial: 'write' },
  gradient_norm: {
    partial: 'read',
    clock: 'read',
    rates: 'read',
    norms: 'update',
    scale: 'write',
  },
  adamw: {
    parameters: 'update',
    gradients: 'read',
    momentum: 'update',
    variance: 'update',
    scale: 'read',
    rates: 'read',
  },

  random_uniform: { clock: 'read', output: 'write' },
  random_spikes: { probabilities: 'read', clock: 'read', spikes: 'write' },
} as const satisfies Record<string, Record<string, Role>>;

export type Role = 'read' | 'write' | 'update' | 'read?';
export type KernelName = keyof typeof kernelRoles;
type Roles<K extends KernelName> = (typeof kernelRoles)[K];

type RequiredOperand<K extends KernelName> = {
  [P in keyof Roles<K>]: Roles<K>[P] extends 'read?' ? never : P;
}[keyof Roles<K>];
type OptionalOperand<K extends KernelName> = Exclude<keyof Roles<K>, RequiredOperand<K>>;

/** The tensors of one call, by the names of the table. */
export type Operands<K extends KernelName> = {
  readonly [P in RequiredOperand<K>]: Tensor;
} & { readonly [P in OptionalOperand<K>]?: Tensor | undefined };

export type Surrogate = 'atan' | 'fast_sigmoid' | 'sigmoid' | 'triangle';

interface Steps {
  /** Time steps T. */
  readonly steps: number;
  /** Rows per time step, batch times sequence. */
  readonly rows: number;
  /** Features of a row. */
  readonly width: number;
}

interface Rows {
  readonly rows: number;
  readonly width: number;
}

interface Accumulate {
  /** Add to what the target holds instead of overwriting it. */
  readonly accumulate: boolean;
}

interface Lif extends Steps {
  /** 1 where the current is the same in every step and stored once, else `steps`. */
  readonly currentSteps: number;
  readonly beta: number;
  readonly threshold: number;
}

interface LifBackward extends Lif {
  readonly surrogate: Surrogate;
}

interface Product {
  /** Rows of the output. */
  readonly rows: number;
  /** Columns of the output. */
  readonly columns: number;
  /** Length of the dot products. */
  readonly depth: number;
}

interface Epilogue {
  /** Rows of the residual; smaller than `rows` where one residual serves every time step. */
  readonly residualRows: number;
}

interface Sequences extends Rows {
  /** Tokens of a sequence; `rows` is a multiple of it. */
  readonly sequence: number;
}

interface Partials extends Rows {
  /** Rows that one line of the partial sums covers. */
  readonly chunk: number;
}

interface Attention {
  readonly steps: number;
  readonly batch: number;
  readonly sequence: number;
  readonly heads: number;
  /** Features of one head. */
  readonly headWidth: number;
}

interface Count {
  readonly count: number;
}

/** Static attributes of each kernel: numbers become shader constants, booleans and strings choose variants. */
export interface KernelAttributes {
  readonly fill: Count & { readonly value: number };
  readonly add: Count;
  readonly copy: Count;
  readonly sum_steps: Count & { readonly steps: number } & Accumulate;
  readonly mean_steps_forward: Count & { readonly steps: number };
  readonly mean_steps_backward: Count & { readonly steps: number } & Accumulate;
  readonly reduce_rows: Rows & Accumulate;
  readonly column_sum: Partials;
  readonly embedding_forward: Rows & { readonly vocabulary: number };
  readonly token_chain: { readonly rows: number };
  readonly embedding_backward: Rows & { readonly vocabulary: number };
  readonly linear_forward: Product & Epilogue;
  readonly linear_backward_input: Product & Accumulate;
  readonly linear_backward_weight: Product & Accumulate;
  readonly spike_linear_forward: Product & Epilogue & Accumulate;
  readonly transpose_bits: Rows;
  readonly lif_forward: Lif;
  readonly lif_backward: LifBackward;
  readonly lif_membrane: Lif;
  readonly spike_count: Rows;
  readonly layer_norm_forward: Rows & { readonly epsilon: number };
  readonly layer_norm_backward_input: Rows & Accumulate;
  readonly layer_norm_backward_parameters: Partials;
  readonly rms_norm_forward: Rows & { readonly epsilon: number };
  readonly rms_norm_backward_input: Rows & Accumulate;
  readonly rms_norm_backward_parameters: Partials;
  readonly token_shift_forward: Sequences;
  readonly token_shift_backward_input: Sequences & Accumulate;
  readonly token_shift_backward_mix: Sequences & { readonly chunk: number };
  readonly token_shift_step: Count & { readonly width: number };
  readonly spike_attention_forward: Attention;
  readonly spike_attention_backward_scores: Attention;
  readonly spike_attention_backward: Attention;
  readonly spike_attention_step: Omit<Attention, 'sequence'>;
  readonly readout_mix_forward: Count;
  readonly readout_mix_backward: Count & {
    readonly accumulateDirect: boolean;
    readonly accumulateDeep: boolean;
  };
  readonly readout_mix_backward_mix: Count & { readonly chunk: number };
  readonly cross_entropy_forward: Rows;
  readonly cross_entropy_backward: Rows;
  readonly mean_loss: { readonly rows: number; readonly slots: number };
  readonly squared_norm: Count & { readonly chunk: number };
  readonly gradient_norm: { readonly rows: number; readonly slots: number };
  readonly adamw: Count & {
    /** Words at the front of the block that weight decay applies to. */
    readonly decayed: number;
    readonly beta1: number;
    readonly beta2: number;
    readonly epsilon: number;
  };
  readonly random_uniform: Count & { readonly stream: number };
  readonly random_spikes: Rows & { readonly stream: number };
}

/** One kernel with its operands: the instruction of a Program. */
export type KernelCall = {
  [K in KernelName]: {
    readonly kernel: K;
    readonly operands: Operands<K>;
    readonly attributes: KernelAttributes[K];
  };
}[KernelName];

export interface Operand {
  readonly name: string;
  /** Position in the kernel's line of the table: the binding index. */
  readonly index: number;
  readonly role: 'read' | 'write' | 'update';
  readonly tensor: Tensor;
}

/** The operands of a call that are present, in binding order. */
export function operandsOf(call: KernelCall): Operand[] {
  const tensors = call.operands as Readonly<Record<string, Tensor | undefined>>;
  return Object.entries(kernelRoles[call.kernel]).flatMap(([name, role], index) => {
    const tensor = tensors[name];
    if (!tensor) return [];
    return [
      {
        name,
        index,
        role: (role as Role) === 'read?' ? 'read' : (role as Operand['role']),
        tensor,
      },
    ];
  });
}
