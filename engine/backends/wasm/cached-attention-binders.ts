import type { TransformerAttributes } from '../../graph/transformer-kernels.ts';
import { grainOf, real, single, type WasmBinders } from './commands.ts';
import { perRow } from './items.ts';

/** Lanes of a vector: scores are worked on as many at a time. */
const LANES = 4;

/** Reading with a cache, and the drive of neurons that a float model is converted to. */
export const cachedAttentionBinders: WasmBinders<keyof TransformerAttributes> = {
  cache_rows: ({ operands: { source, cells, cache }, attributes }, site) => {
    const { rows, width, stride, offset } = attributes;
    const ends = [site.at(source), site.at(cells), site.at(cache)];
    return perRow('cache_rows', rows, [...ends, width, stride, offset], site);
  },
  cached_attention: ({ operands: { qkv, cells, cache, output }, attributes }, site) => {
    const { rows, heads, headWidth, sequence, factor } = attributes;
    const items = rows * heads;
    const ends = [qkv, cells, cache, output].map(site.at);
    return single({
      kernel: 'cached_attention',
      items,
      grain: grainOf(items, site.threads),
      args: [...ends, heads, headWidth, sequence, real(factor)],
      scratchBytes: 4 * (sequence + LANES),
    });
  },
  signed_drive: ({ operands: { input, range, drive }, attributes }, site) => {
    const { rows, width, offset } = attributes;
    const ends = [site.at(input), site.at(range), site.at(drive)];
    return perRow('signed_drive', rows, [...ends, width, real(offset)], site);
  },
};
