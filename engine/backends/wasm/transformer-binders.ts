import { type Bound, grainOf, type Real, real, type Site, type WasmBinders } from './commands.ts';
import { perElement, perRow } from './items.ts';

/* The sizes of engine/backends/wasm/assembly/{softmax-attention,tile}.ts. */
const TILE_COLUMNS = 8;
const SPILL_BYTES = 256;

interface Axes {
  readonly batch: number;
  readonly sequence: number;
  readonly heads: number;
  readonly headWidth: number;
}

/** One item for each head of each sequence. */
function perHead(
  kernel: string,
  { batch, heads }: Axes,
  { args, scratchBytes }: { args: readonly (number | Real)[]; scratchBytes: number },
  { threads }: Site,
): Bound {
  const items = batch * heads;
  return { commands: [{ kernel, items, grain: grainOf(items, threads), args, scratchBytes }] };
}

function headsOf({ sequence, heads, headWidth }: Axes): number[] {
  return [sequence, heads, headWidth];
}

/** What a float transformer needs beside products, norms and the loss. */
export const transformerBinders: WasmBinders<
  | 'position_forward'
  | 'gelu_forward'
  | 'gelu_backward'
  | 'attention_scores'
  | 'causal_softmax_forward'
  | 'causal_softmax_backward'
  | 'attention_values'
> = {
  position_forward: ({ operands: { input, table, output }, attributes }, site) => {
    const { rows, width, sequence } = attributes;
    const args = [site.at(input), site.at(table), site.at(output), width, sequence];
    return perRow('position_forward', rows, args, site);
  },
  gelu_forward: ({ operands: { input, output }, attributes: { count } }, site) =>
    perElement('gelu_forward', count, [site.at(input), site.at(output), count], site),
  gelu_backward: ({ operands, attributes: { count, accumulate } }, site) => {
    const { input, gradient, inputGradient } = operands;
    const ends = [site.at(input), site.at(gradient), site.at(inputGradient)];
    return perElement('gelu_backward', count, [...ends, count, Number(accumulate)], site);
  },
  attention_scores: ({ operands: { queries, keys, scores }, attributes }, site) => {
    const { sequence, headWidth, factor } = attributes;
    const { queryStride, queryOffset, keyStride, keyOffset } = attributes;
    const args = [
      site.at(queries),
      site.at(keys ?? queries),
      site.at(scores),
      ...headsOf(attributes),
      queryStride,
      queryOffset,
      keyStride,
      keyOffset,
      real(factor),
    ];
    const line = Math.ceil(sequence / TILE_COLUMNS) * TILE_COLUMNS;
    const scratchBytes = 4 * line * headWidth + SPILL_BYTES;
    return perHead('attention_scores', attributes, { args, scratchBytes }, site);
  },
  causal_softmax_forward: ({ operands: { weights }, attributes: { rows, width } }, site) =>
    perRow('causal_softmax_forward', rows, [site.at(weights), width], site),
  causal_softmax_backward: ({ operands, attributes: { rows, width } }, site) => {
    const args = [site.at(operands.weights), site.at(operands.scoreGradient), width];
    return perRow('causal_softmax_backward', rows, args, site);
  },
  attention_values: ({ operands: { weights, values, output }, attributes }, site) => {
    const { factor, transpose } = attributes;
    const { valueStride, valueOffset, outputStride, outputOffset } = attributes;
    const args = [
      site.at(weights),
      site.at(values),
      site.at(output),
      ...headsOf(attributes),
      valueStride,
      valueOffset,
      outputStride,
      outputOffset,
      real(factor),
      Number(transpose),
    ];
    return perHead('attention_values', attributes, { args, scratchBytes: SPILL_BYTES }, site);
  },
};
