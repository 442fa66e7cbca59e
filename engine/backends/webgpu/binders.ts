import type { KernelCall, KernelName } from '../../graph/kernel-table.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { chronospikeBinders } from './chronospike-binders.ts';
import { convolutionBinders } from './convolution-binders.ts';
import { distillationBinders } from './distillation-binders.ts';
import { type Binder, type Dispatch, fold, perElement, perRow, variant } from './dispatch.ts';
import { layerBinders } from './layer-binders.ts';
import { encoderBinders } from './encoder-binders.ts';
import { plasticityBinders } from './plasticity-binders.ts';
import { nirBinders } from './nir-binders.ts';
import type { DeviceProfile } from './profile.ts';
import { recurrentBinders } from './recurrent-binders.ts';
import { sensesBinders } from './senses-binders.ts';
import { multimodalBinders } from './multimodal-binders.ts';
import { simulatorBinders } from './simulator-binders.ts';
import { transformerBinders } from './transformer-binders.ts';
import { sparseBinders } from './sparse-binders.ts';

/** Rows of spikes that one invocation of spike_count adds up. */
const COUNT_ROWS = 64;
/** Neurons that one workgroup of lif_forward_lanes holds, in words. */
const LANE_WORDS = 2;

/** SwiftShader compiles wide tiles three times as long and plays them 1.5 times as fast. */
const WORTH_WIDE_TILES = 2 ** 24;

/** How WebGPU plays every kernel of the table. */
const binders: { readonly [K in KernelName]: Binder<K> } = {
  ...simulatorBinders,
  fill: (call, profile) => perElement('memory/fill', call, call.attributes.count, profile),
  add: (call, profile) => perElement('memory/add', call, call.attributes.count, profile),
  copy: (call, profile) => perElement('memory/copy', call, call.attributes.count, profile),
  sum_steps: (call, profile) =>
    perElement('memory/sum_steps', call, call.attributes.count, profile),
  reduce_rows: (call, profile) =>
    perElement('memory/reduce_rows', call, call.attributes.width, profile),
  column_sum: (call, profile) => perColumnChunk('memory/column_sum', call, profile),

  embedding_forward: (call, profile) =>
    perElement('embedding/embedding_forward', call, elements(call.attributes), profile),
  token_chain: (call, profile) =>
    perElement('embedding/token_chain', call, call.attributes.rows, profile),
  embedding_backward: (call, profile) =>
    perElement('embedding/embedding_backward', call, elements(call.attributes), profile),

  linear_forward: (call, profile) => product(call, profile, {}),
  linear_backward_input: (call, profile) => product(call, profile, { TRANSPOSE_RIGHT: true }),
  linear_backward_spikes: (call, profile) => ({
    ...product(call, profile, { TRANSPOSE_RIGHT: true }),
    // Tiles are multiplied whole, wherever the slopes are.
    bindings: 3,
  }),
  linear_backward_weight: (call, profile) => product(call, profile, { TRANSPOSE_LEFT: true }),
  spike_linear_forward: (call, profile) => {
    const { rows, columns, depth } = call.attributes;
    const constants = { WORDS: wordsPerRow(depth) };
    if (profile.tiling === 'workgroup') return tiledProduct(call, profile, { SPIKES: true });
    const lanes = columns % 4 === 0 ? 4 : 1;
    const dispatch = perElement(
      'linear/spike_linear_forward',
      call,
      (rows * columns) / lanes,
      profile,
    );
    return {
      ...dispatch,
      constants: { ...dispatch.constants, ...constants },
      conditions: { ...dispatch.conditions, QUADS: lanes === 4 },
    };
  },
  spike_linear_int8: (call, profile) => {
    const { rows, columns, depth } = call.attributes;
    const words = Math.ceil(columns / 4);
    const dispatch = perElement('linear/spike_linear_int8', call, rows * words, profile);
    const constants = { WORDS: wordsPerRow(depth), BYTE_WORDS: words };
    return { ...dispatch, constants: { ...dispatch.constants, ...constants } };
  },
  transpose_bits: (call, profile) => {
    const { rows, width } = call.attributes;
    const blocks = wordsPerRow(rows) * wordsPerRow(width);
    return perElement('linear/transpose_bits', call, blocks, profile);
  },

  lif_forward: (call, profile) => {
    const { rows, width } = call.attributes;
    const words = rows * wordsPerRow(width);
    const conditions = { HELD: isHeld(call), OWN_DECAY: call.operands.decay !== undefined };
    if (profile.tiling === 'register') {
      return withConditions(perElement('neurons/lif_forward', call, words, profile), conditions);
    }
    return {
      ...variant('neurons/lif_forward_lanes', call, {}, conditions),
      workgroups: fold(Math.ceil(words / LANE_WORDS), profile),
    };
  },
  lif_backward: (call, profile) => perNeuron('neurons/lif_backward', call, profile),
  lif_backward_held: (call, profile) => perNeuron('neurons/lif_backward', call, profile),
  lif_membrane: (call, profile) => perNeuron('neurons/lif_membrane', call, profile),
  spike_count: (call, profile) => {
    const { rows, width } = call.attributes;
    const invocations = Math.ceil(rows / COUNT_ROWS) * width;
    return perElement('neurons/spike_count', call, invocations, profile);
  },
  slot_spike_count: (call, profile) =>
    perRow('neurons/slot_spike_count', call, call.attributes.rows, profile),
  lif_membrane_backward: (call, profile) =>
    perNeuron('neurons/lif_membrane_backward', call, profile),
  membrane_spike_count: (call, profile) =>
    perElement('neurons/membrane_spike_count', call, elements(call.attributes), profile),

  layer_norm_forward: (call, profile) =>
    perRow('norm/layer_norm_forward', call, call.attributes.rows, profile),
  layer_norm_backward_input: (call, profile) =>
    perRow('norm/layer_norm_backward_input', call, call.attributes.rows, profile),
  layer_norm_backward_parameters: (call, profile) =>
    perColumnChunk('norm/layer_norm_backward_parameters', call, profile),
  rms_norm_forward: (call, profile) =>
    perRow('norm/rms_norm_forward', call, call.attributes.rows, profile),
  rms_norm_backward_input: (call, profile) =>
    perRow('norm/rms_norm_backward_input', call, call.attributes.rows, profile),
  rms_norm_backward_parameters: (call, profile) =>
    perColumnChunk('norm/rms_norm_backward_parameters', call, profile),

  token_shift_forward: (call, profile) =>
    perElement('shift/token_shift_forward', call, elements(call.attributes), profile),
  token_shift_backward_input: (call, profile) =>
    perElement('shift/token_shift_backward_input', call, elements(call.attributes), profile),
  token_shift_backward_mix: (call, profile) =>
    perColumnChunk('shift/token_shift_backward_mix', call, profile),
  token_shift_step: (call, profile) => {
    const invocations = call.attributes.steps * elements(call.attributes);
    return perElement('shift/token_shift_step', call, invocations, profile);
  },

  spike_attention_forward: (call, profile) => {
    const { steps, batch, sequence } = call.attributes;
    const invocations = steps * batch * sequence * headQuads(call.attributes);
    return attention('attention/spike_attention_forward', call, invocations, profile);
  },
  spike_attention_backward_scores: (call, profile) => {
    const { steps, batch, sequence, heads } = call.attributes;
    const invocations = steps * batch * heads * sequence * sequence;
    return attention('attention/spike_attention_backward_scores', call, invocations, profile);
  },
  spike_attention_backward: (call, profile) => {
    const { steps, batch, sequence } = call.attributes;
    const invocations = 3 * steps * batch * sequence * headQuads(call.attributes);
    return attention('attention/spike_attention_backward', call, invocations, profile);
  },
  spike_attention_step: (call, profile) => {
    const { steps, batch, heads, headWidth } = call.attributes;
    const invocations = steps * batch * heads * headWidth;
    return attention('attention/spike_attention_step', call, invocations, profile);
  },

  position_forward: (call, profile) =>
    perElement('embedding/position_forward', call, elements(call.attributes), profile),
  gelu_forward: (call, profile) =>
    perQuad('activation/gelu_forward', call, call.attributes.count, profile),
  gelu_backward: (call, profile) =>
    perQuad('activation/gelu_backward', call, call.attributes.count, profile),
  attention_scores: (call, profile) => {
    const { batch, heads, sequence } = call.attributes;
    const tiles = batch * heads * Math.ceil(sequence / 4) ** 2;
    const conditions = {
      KEYS: call.operands.keys !== undefined,
      QUADS: hasQuads(call.attributes),
    };
    return withConditions(
      perElement('attention/attention_scores', call, tiles, profile),
      conditions,
    );
  },
  causal_softmax_forward: (call, profile) =>
    perRow('attention/causal_softmax_forward', call, call.attributes.rows, profile),
  causal_softmax_backward: (call, profile) =>
    perRow('attention/causal_softmax_backward', call, call.attributes.rows, profile),
  attention_values: (call, profile) => {
    const { batch, sequence } = call.attributes;
    const tiles = batch * Math.ceil(sequence / 4) * headQuads(call.attributes);
    return withConditions(perElement('attention/attention_values', call, tiles, profile), {
      QUADS: hasQuads(call.attributes),
    });
  },

  mean_steps_forward: (call, profile) =>
    perElement('readout/mean_steps_forward', call, call.attributes.count, profile),
  mean_steps_backward: (call, profile) => {
    const { count, steps } = call.attributes;
    return perElement('readout/mean_steps_backward', call, count * steps, profile);
  },
  readout_mix_forward: (call, profile) =>
    perElement('readout/readout_mix_forward', call, call.attributes.count, profile),
  readout_mix_backward: (call, profile) =>
    perElement('readout/readout_mix_backward', call, call.attributes.count, profile),
  readout_mix_backward_mix: (call, profile) => {
    const chunks = Math.ceil(call.attributes.count / call.attributes.chunk);
    return perElement('readout/readout_mix_backward_mix', call, chunks, profile);
  },

  cross_entropy_forward: (call, profile) =>
    perRow('loss/cross_entropy_forward', call, call.attributes.rows, profile),
  cross_entropy_backward: (call, profile) =>
    perElement('loss/cross_entropy_backward', call, elements(call.attributes), profile),
  mean_loss: (call, profile) => perRow('loss/mean_loss', call, 1, profile),

  squared_norm: (call, profile) => {
    const chunks = Math.ceil(call.attributes.count / call.attributes.chunk);
    return perRow('optimiser/squared_norm', call, chunks, profile);
  },
  gradient_norm: (call, profile) => perRow('optimiser/gradient_norm', call, 1, profile),
  adamw: (call, profile) => perElement('optimiser/adamw', call, call.attributes.count, profile),

  random_uniform: (call, profile) =>
    perElement('random/random_uniform', call, Math.ceil(call.attributes.count / 4), profile),
  random_spikes: (call, profile) => {
    const { rows, width } = call.attributes;
    return perElement('random/random_spikes', call, rows * wordsPerRow(width), profile);
  },

  ...layerBinders,
  ...convolutionBinders,
  ...recurrentBinders,
  ...encoderBinders,
  ...distillationBinders,
  ...plasticityBinders,
  ...nirBinders,
  ...sensesBinders,
  ...transformerBinders,
  ...sparseBinders,
  ...sensesBinders,
  ...multimodalBinders,
  ...chronospikeBinders,
};

/** The shader and grid of a call on this device. */
export function bindCall(call: KernelCall, profile: DeviceProfile): Dispatch {
  // The binder found under a call's kernel takes that very call; TypeScript loses the correlation.
  const binder = binders[call.kernel] as (call: KernelCall, profile: DeviceProfile) => Dispatch;
  return binder(call, profile);
}

type ProductKernel =
  | 'linear_forward'
  | 'linear_backward_input'
  | 'linear_backward_spikes'
  | 'linear_backward_weight'
  | 'spike_linear_forward';
type ProductCall = Extract<KernelCall, { kernel: ProductKernel }>;
type Flags = Readonly<Record<string, boolean>>;

function product(call: ProductCall, profile: DeviceProfile, flags: Flags): Dispatch {
  if (profile.tiling === 'workgroup') return tiledProduct(call, profile, flags);
  const { rows, columns, depth } = call.attributes;
  const lines = flags['TRANSPOSE_LEFT'] ? [rows, columns] : [depth, columns];
  const conditions = {
    ...flags,
    QUADS: [...lines, depth].every((length) => length % 4 === 0),
    WIDE: rows * columns * depth >= WORTH_WIDE_TILES,
  };
  // Each workgroup is 4 x 4 invocations.
  const side = conditions.WIDE ? 64 : 32;
  return {
    ...variant('linear/product', call, {}, conditions),
    workgroups: [Math.ceil(columns / side), Math.ceil(rows / side)],
  };
}

function tiledProduct(call: ProductCall, profile: DeviceProfile, flags: Flags): Dispatch {
  const { rows, columns, depth } = call.attributes;
  const conditions = { ...flags, F16: profile.halfPrecision };
  const constants = { WORDS: wordsPerRow(depth), TILE_DEPTH: profile.tileDepth };
  return {
    ...variant('linear/product_tiled', call, constants, conditions),
    workgroups: [Math.ceil(columns / 64), Math.ceil(rows / 64)],
  };
}

/** Four elements an invocation where they come out even: on processors an invocation costs as much as they do. */
function perQuad(path: string, call: KernelCall, count: number, profile: DeviceProfile): Dispatch {
  const QUADS = count % 4 === 0;
  return withConditions(perElement(path, call, QUADS ? count / 4 : count, profile), { QUADS });
}

type NeuronCall = Extract<KernelCall, { attributes: { width: number; beta: number } }>;

function perNeuron(path: string, call: NeuronCall, profile: DeviceProfile): Dispatch {
  const dispatch = perElement(path, call, elements(call.attributes), profile);
  const OWN_DECAY = 'decay' in call.operands && call.operands.decay !== undefined;
  return withConditions(dispatch, { HELD: isHeld(call), OWN_DECAY });
}

/** Whether the current has one step, read as if repeated. */
function isHeld({ kernel, attributes }: NeuronCall): boolean {
  if (!('currentSteps' in attributes)) return kernel === 'lif_backward_held';
  return attributes.currentSteps === 1 && attributes.steps > 1;
}

type ChunkCall = Extract<
  KernelCall,
  { attributes: { rows: number; width: number; chunk: number } }
>;

function perColumnChunk(path: string, call: ChunkCall, profile: DeviceProfile): Dispatch {
  const { rows, width, chunk } = call.attributes;
  return perElement(path, call, Math.ceil(rows / chunk) * width, profile);
}

type AttentionCall = Extract<KernelCall, { attributes: { heads: number; headWidth: number } }>;

function attention(
  path: string,
  call: AttentionCall,
  invocations: number,
  profile: DeviceProfile,
): Dispatch {
  const { heads, headWidth } = call.attributes;
  const dispatch = perElement(path, call, invocations, profile);
  const words = { WORDS: wordsPerRow(3 * heads * headWidth) };
  return { ...dispatch, constants: { ...dispatch.constants, ...words } };
}

function headQuads({ heads, headWidth }: { heads: number; headWidth: number }): number {
  return heads * Math.ceil(headWidth / 4);
}

/** What has to be a multiple of 4 for features and scores to be read four at a time. */
const QUAD_AXES = /^(sequence|headWidth)$|(Stride|Offset)$/;

function hasQuads(attributes: object): boolean {
  const axes = Object.entries(attributes).filter(([name]) => QUAD_AXES.test(name));
  return axes.every(([, value]) => Number(value) % 4 === 0);
}

function elements({ rows, width }: { rows: number; width: number }): number {
  return rows * width;
}

function withConditions(dispatch: Dispatch, conditions: Flags): Dispatch {
  return { ...dispatch, conditions: { ...dispatch.conditions, ...conditions } };
}
