import type { ChronospikeAttributes } from '../../graph/chronospike-kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { type Bound, grainOf, real, single, type Site, type WasmBinders } from './commands.ts';
import { perRow } from './items.ts';
import { SURROGATES } from './neuron-binders.ts';

/* The sizes of engine/backends/wasm/assembly/{carried-attention,relaxed}.ts. */
const SLAB = 32;
const MARGIN = 16;
const TILE_ROWS = 6;
const SPILL_BYTES = 256;
const LANES = 4;
const VECTOR_BYTES = 16;
const LEAST_GRAIN = 64;

type Attention = ChronospikeAttributes['carried_attention_forward'];
type RelaxedLif = ChronospikeAttributes['relaxed_lif_forward'];

/** One item for each head of each sequence at each time step. */
function perHead(
  kernel: string,
  tensors: readonly number[],
  { steps, batch, sequence, heads, headWidth }: Attention,
  { threads }: Site,
): Bound {
  const items = steps * batch * heads;
  const words = wordsPerRow(headWidth);
  const line = 32 * words + MARGIN;
  const tokens = SLAB * Math.ceil(sequence / SLAB) + MARGIN;
  // Square states, values of all tokens, lists of events, six rows of sums.
  const floats = (2 * headWidth + sequence + TILE_ROWS) * line + 2 * words * tokens;
  const fired = words * SLAB * Math.ceil(sequence / SLAB);
  const shape = [sequence, heads, headWidth, wordsPerRow(3 * heads * headWidth)];
  return single({
    kernel,
    items,
    grain: grainOf(items, threads),
    args: [...tensors, ...shape],
    scratchBytes: 4 * (floats + fired) + SPILL_BYTES,
  });
}

/** Four neurons an item. */
function perLanes(
  kernel: string,
  { steps, rows, width, currentSteps, beta, threshold }: RelaxedLif,
  args: readonly number[],
  { threads }: Site,
): Bound {
  const items = Math.ceil((rows * width) / LANES);
  const stride = currentSteps === 1 && steps > 1 ? 0 : rows * width;
  return single({
    kernel,
    items,
    grain: grainOf(items, threads, LEAST_GRAIN),
    args: [steps, rows * width, stride, real(beta), real(threshold), ...args],
    scratchBytes: VECTOR_BYTES * steps,
  });
}

/** How the WASM backend plays what dense_chronospike has to itself. */
export const chronospikeBinders: WasmBinders<keyof ChronospikeAttributes> = {
  clear_sequences: ({ operands: { begins, state }, attributes }, site) => {
    const { steps, batch, width } = attributes;
    const args = [site.at(begins), site.at(state), batch, width];
    return perRow('clear_sequences', steps * batch, args, site);
  },
  last_tokens: ({ operands: { source, target }, attributes }, site) => {
    const { rows, width, sequence } = attributes;
    return perRow('last_tokens', rows, [site.at(source), site.at(target), width, sequence], site);
  },
  carried_shift_forward: ({ operands: { previous, mix, output }, attributes }, site) => {
    const { rows, width, sequence } = attributes;
    const args = [site.at(previous), site.at(mix), site.at(output), width, sequence];
    return perRow('carried_shift_forward', rows, args, site);
  },
  carried_shift_backward: ({ operands: { previous, gradient, change }, attributes }, site) => {
    const { rows, width, sequence } = attributes;
    const args = [site.at(previous), site.at(gradient), site.at(change), width, sequence];
    return perRow('carried_shift_backward', rows, args, site);
  },
  carried_attention_forward: ({ operands: { qkv, decay, state, output }, attributes }, site) => {
    const tensors = [qkv, decay, state, output].map(site.at);
    return perHead('carried_attention_forward', tensors, attributes, site);
  },
  carried_attention_backward: ({ operands, attributes }, site) => {
    const { decay, state, gradient, qkvGradient } = operands;
    const tensors = [decay, state, gradient, qkvGradient].map(site.at);
    return perHead('carried_attention_backward', tensors, attributes, site);
  },
  carried_attention_update: ({ operands: { qkv, decay, state }, attributes }, site) =>
    perHead('carried_attention_update', [qkv, decay, state].map(site.at), attributes, site),
  relaxed_lif_forward: ({ operands, attributes }, site) => {
    const { current, hardness, spikes, decay } = operands;
    const args = [decay, current, hardness, spikes].map(site.at);
    return perLanes('relaxed_lif_forward', attributes, args, site);
  },
  relaxed_lif_backward: ({ operands, attributes }, site) => {
    const { current, hardness, gradient, currentGradient, decay } = operands;
    const args = [decay, current, hardness, gradient, currentGradient].map(site.at);
    const surrogate = SURROGATES[attributes.surrogate];
    return perLanes('relaxed_lif_backward', attributes, [...args, surrogate], site);
  },
  decay_scores: ({ operands: { decay, scores }, attributes }, site) => {
    const { rows, sequence, heads } = attributes;
    return perRow('decay_scores', rows, [site.at(decay), site.at(scores), sequence, heads], site);
  },
};
