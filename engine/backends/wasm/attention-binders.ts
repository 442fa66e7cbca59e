import { wordsPerRow } from '../../graph/tensor.ts';
import { type Bound, grainOf, type Site, type WasmBinders } from './commands.ts';

/* The sizes of engine/backends/wasm/assembly/{attention,attention-events,tile}.ts. */
const TILE_ROWS = 6;
const SLAB = 32;
const MARGIN = 16;
const SPILL_BYTES = 256;

interface Heads {
  readonly steps: number;
  readonly batch: number;
  readonly heads: number;
  readonly headWidth: number;
}

type Sequences = Heads & { readonly sequence: number };

/** One item for each head of each sequence at each time step. */
function perHead(
  kernel: string,
  { steps, batch, heads }: Heads,
  { args, scratchBytes }: { args: readonly number[]; scratchBytes: number },
  { threads }: Site,
): Bound {
  const items = steps * batch * heads;
  return { commands: [{ kernel, items, grain: grainOf(items, threads), args, scratchBytes }] };
}

/** The arguments that those over sequences end with. */
function shapeOf({ sequence, heads, headWidth }: Sequences): number[] {
  return [sequence, heads, headWidth, wordsPerRow(3 * heads * headWidth)];
}

/** Bytes for the bits of `parts` of query, key and value, the decay, and what else there is for each token. */
function scratchOf({ sequence, headWidth }: Sequences, parts: number): number {
  const words = wordsPerRow(headWidth);
  const line = roundUp(sequence, SLAB) + MARGIN;
  const lines = parts * words + 1 + sequence + headWidth;
  const fired = words * roundUp(sequence, SLAB);
  return 4 * (SLAB + Math.max(lines, parts * words + 1 + TILE_ROWS) * line + fired) + SPILL_BYTES;
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}

export const attentionBinders: WasmBinders<
  | 'spike_attention_forward'
  | 'spike_attention_backward_scores'
  | 'spike_attention_backward'
  | 'spike_attention_step'
> = {
  spike_attention_forward: ({ operands: { qkv, decay, output }, attributes }, site) => {
    const args = [site.at(qkv), site.at(decay), site.at(output), ...shapeOf(attributes)];
    const scratchBytes = scratchOf(attributes, 3);
    return perHead('spike_attention_forward', attributes, { args, scratchBytes }, site);
  },
  spike_attention_backward_scores: ({ operands, attributes }, site) => {
    const { qkv, decay, gradient, scoreGradient } = operands;
    const ends = [site.at(qkv), site.at(decay), site.at(gradient), site.at(scoreGradient)];
    const args = [...ends, ...shapeOf(attributes)];
    const scratchBytes = scratchOf(attributes, 1);
    return perHead('spike_attention_backward_scores', attributes, { args, scratchBytes }, site);
  },
  spike_attention_backward: ({ operands, attributes }, site) => {
    const { qkv, decay, gradient, scoreGradient, qkvGradient } = operands;
    const args = [
      site.at(qkv),
      site.at(decay),
      site.at(gradient),
      site.at(scoreGradient),
      site.at(qkvGradient),
      ...shapeOf(attributes),
    ];
    const scratchBytes = scratchOf(attributes, 2);
    return perHead('spike_attention_backward', attributes, { args, scratchBytes }, site);
  },
  spike_attention_step: ({ operands, attributes }, site) => {
    const { qkv, decay, state, output } = operands;
    const { batch, heads, headWidth, slots } = attributes;
    const args = [
      site.at(qkv),
      site.at(decay),
      site.at(state),
      site.at(output),
      heads,
      headWidth,
      wordsPerRow(3 * heads * headWidth),
      site.at(operands.slots),
      batch,
      slots,
    ];
    const words = wordsPerRow(headWidth);
    const scratchBytes = 4 * (3 * 32 * words + words);
    return perHead('spike_attention_step', attributes, { args, scratchBytes }, site);
  },
};
