import { chronospikeRoles } from './chronospike-kernels.ts';
import { convolutionRoles } from './convolution-kernels.ts';
import { distillationRoles } from './distillation-kernels.ts';
import { encoderRoles } from './encoder-kernels.ts';
import type { KernelAttributes } from './kernel-attributes.ts';
import { layerRoles } from './layer-kernels.ts';
import { epropRoles } from './eprop-kernels.ts';
import { plasticityRoles } from './plasticity-kernels.ts';
import { simulatorKernelRoles } from './simulator-kernels.ts';
import { sparseRoles } from './sparse-kernels.ts';
import { recurrentRoles } from './recurrent-kernels.ts';
import { multimodalRoles } from './multimodal-kernels.ts';
import { nirKernelRoles } from './nir-kernels.ts';
import { sensesRoles } from './senses-kernels.ts';
import { transformerRoles } from './transformer-kernels.ts';
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
  linear_backward_spikes: {
    gradient: 'read',
    weight: 'read',
    inputGradient: 'update',
    current: 'read',
  },
  linear_backward_weight: { input: 'read', gradient: 'read', weightGradient: 'update' },
  spike_linear_forward: {
    spikes: 'read',
    weight: 'read',
    output: 'update',
    bias: 'read?',
    residual: 'read?',
  },
  spike_linear_int8: {
    spikes: 'read',
    weight: 'read',
    scale: 'read',
    output: 'write',
    bias: 'read?',
    residual: 'read?',
  },
  transpose_bits: { spikes: 'read', transposed: 'write' },

  lif_forward: { current: 'read', spikes: 'write', decay: 'read?' },
  lif_backward: { current: 'read', gradient: 'update', decay: 'read?' },
  lif_backward_held: {
    current: 'read',
    spikeGradient: 'read',
    currentGradient: 'write',
    decay: 'read?',
  },
  lif_membrane: { current: 'read', membrane: 'write', decay: 'read?' },
  spike_count: { spikes: 'read', counts: 'update' },
  slot_spike_count: { spikes: 'read', slots: 'read', counts: 'update' },
  lif_membrane_backward: { gradient: 'read', currentGradient: 'write' },
  membrane_spike_count: { membrane: 'read', counts: 'write' },

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
  token_shift_step: {
    input: 'read',
    mix: 'read',
    slots: 'read',
    previous: 'update',
    output: 'write',
  },

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
  spike_attention_step: {
    qkv: 'read',
    decay: 'read',
    slots: 'read',
    state: 'update',
    output: 'write',
  },

  position_forward: { input: 'read', table: 'read', output: 'write' },
  gelu_forward: { input: 'read', output: 'write' },
  gelu_backward: { input: 'read', gradient: 'read', inputGradient: 'update' },
  attention_scores: { queries: 'read', keys: 'read?', scores: 'write' },
  causal_softmax_forward: { weights: 'update' },
  causal_softmax_backward: { weights: 'read', scoreGradient: 'update' },
  attention_values: { weights: 'read', values: 'read', output: 'update' },

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

  cross_entropy_forward: {
    logits: 'read',
    targets: 'read',
    losses: 'write',
    scale: 'write',
    weights: 'read?',
  },
  cross_entropy_backward: {
    logits: 'read',
    targets: 'read',
    scale: 'read',
    logitsGradient: 'write',
    weights: 'read?',
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

  ...layerRoles,
  ...plasticityRoles,
  ...epropRoles,
  ...simulatorKernelRoles,
  ...convolutionRoles,
  ...recurrentRoles,
  ...encoderRoles,
  ...distillationRoles,
  ...nirKernelRoles,
  ...sensesRoles,
  ...transformerRoles,
  ...sparseRoles,
  ...multimodalRoles,
  ...chronospikeRoles,
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
