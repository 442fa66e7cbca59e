import type { KernelCall, KernelName } from '../../graph/kernel-table.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { attentionBinders } from './attention-binders.ts';
import { chronospikeBinders } from './chronospike-binders.ts';
import { convolutionBinders } from './convolution-binders.ts';
import { distillationBinders } from './distillation-binders.ts';
import {
  type Binder,
  type Dispatch,
  elements,
  perElement,
  perRow,
  withConditions,
} from './dispatch.ts';
import { layerBinders } from './layer-binders.ts';
import { lifBinders } from './lif-binders.ts';
import { linearBinders } from './linear-binders.ts';
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

/** How WebGPU plays every kernel of the table. */
const binders: { readonly [K in KernelName]: Binder<K> } = {
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

  position_forward: (call, profile) =>
    perElement('embedding/position_forward', call, elements(call.attributes), profile),
  gelu_forward: (call, profile) =>
    perQuad('activation/gelu_forward', call, call.attributes.count, profile),
  gelu_backward: (call, profile) =>
    perQuad('activation/gelu_backward', call, call.attributes.count, profile),
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

  ...linearBinders,
  ...lifBinders,
  ...attentionBinders,
  ...layerBinders,
  ...simulatorBinders,
  ...convolutionBinders,
  ...recurrentBinders,
  ...encoderBinders,
  ...distillationBinders,
  ...plasticityBinders,
  ...nirBinders,
  ...sensesBinders,
  ...transformerBinders,
  ...sparseBinders,
  ...multimodalBinders,
  ...chronospikeBinders,
};

/** The shader and grid of a call on this device. */
export function bindCall(call: KernelCall, profile: DeviceProfile): Dispatch {
  // The binder found under a call's kernel takes that very call; TypeScript loses the correlation.
  const binder = binders[call.kernel] as (call: KernelCall, profile: DeviceProfile) => Dispatch;
  return binder(call, profile);
}

/** Four elements an invocation where they come out even: on processors an invocation costs as much as they do. */
function perQuad(path: string, call: KernelCall, count: number, profile: DeviceProfile): Dispatch {
  const QUADS = count % 4 === 0;
  return withConditions(perElement(path, call, QUADS ? count / 4 : count, profile), { QUADS });
}

type ChunkCall = Extract<
  KernelCall,
  { attributes: { rows: number; width: number; chunk: number } }
>;

function perColumnChunk(path: string, call: ChunkCall, profile: DeviceProfile): Dispatch {
  const { rows, width, chunk } = call.attributes;
  return perElement(path, call, Math.ceil(rows / chunk) * width, profile);
}
