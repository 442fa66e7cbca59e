import type { SequenceAttributes } from '../../graph/sequence-kernels.ts';
import type { WasmBinders } from './commands.ts';
import { perRow } from './items.ts';

export const sequenceBinders: WasmBinders<keyof SequenceAttributes> = {
  copy_rows: ({ operands: { source, target }, attributes }, site) => {
    const { steps, sourceSteps, batch, copiedRows, width, accumulate } = attributes;
    const { sourceRows, sourceFirst, targetRows, targetFirst } = attributes;
    const rows = [copiedRows, sourceRows, sourceFirst, targetRows, targetFirst];
    const words = rows.map((some) => some * width);
    const ends = [site.at(source), site.at(target), sourceSteps * batch];
    return perRow('copy_rows', steps * batch, [...ends, ...words, Number(accumulate)], site);
  },
};
