import type { ChronospikeStructure } from './structure.ts';

/** Something that each row of a batch carries from chunk to chunk. */
export interface CarriedPart {
  readonly name: string;
  /** `[steps, batch, …]` */
  readonly shape: readonly number[];
}

/** What rows carry: the input of each shift's last token, and the state of each attention. */
export function carriedParts(structure: ChronospikeStructure, batch: number): CarriedPart[] {
  const { width, heads, blocks, steps } = structure;
  const headWidth = width / heads;
  return Array.from({ length: blocks }, (_, block) => [
    // Nothing changes over the time steps before the first neurons.
    { name: `carried blocks.${block}.shift1`, shape: [block === 0 ? 1 : steps, batch, width] },
    {
      name: `carried blocks.${block}.attention`,
      shape: [steps, batch, heads, headWidth, headWidth],
    },
    { name: `carried blocks.${block}.shift2`, shape: [steps, batch, width] },
  ]).flat();
}
