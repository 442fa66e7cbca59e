import type { MultimodalAttributes } from '../../graph/multimodal-kernels.ts';
import { real, type WasmBinders } from './commands.ts';
import { perElement, perRow } from './items.ts';

export const multimodalBinders: WasmBinders<keyof MultimodalAttributes> = {
  copy_rows: ({ operands: { source, target }, attributes }, site) => {
    const { steps, sourceSteps, batch, copiedRows, width, accumulate } = attributes;
    const { sourceRows, sourceFirst, targetRows, targetFirst } = attributes;
    const rows = [copiedRows, sourceRows, sourceFirst, targetRows, targetFirst];
    const words = rows.map((some) => some * width);
    const ends = [site.at(source), site.at(target), sourceSteps * batch];
    return perRow('copy_rows', steps * batch, [...ends, ...words, Number(accumulate)], site);
  },
  dropout: ({ operands: { source, clock, target }, attributes }, site) => {
    const { count, share, stream, accumulate } = attributes;
    const ends = [site.at(source), site.at(clock), site.at(target), count, stream];
    const args = [...ends, real(share), real(1 / (1 - share)), Number(accumulate)];
    return perElement('dropout', count, args, site);
  },
};
