import type { ChronospikeStructure } from './structure.ts';

/** Something that each row of a batch carries from chunk to chunk. */
export interface CarriedPart {
  readonly name: string;
  /** `[steps, batch, …]` */
  readonly shape: readonly number[];
}

/**
 * Groups of rows that take turns: a step that goes on where the step before ended learns the passage at
 * hand more than the language.
 */
export const CARRY_GROUPS = 8;

/** What the rows of a group carry: the input of each shift's last token, and the state of each attention. */
export function carriedParts(
  structure: ChronospikeStructure,
  batch: number,
  group = 0,
): CarriedPart[] {
  const { width, heads, blocks, steps } = structure;
  const headWidth = width / heads;
  return Array.from({ length: blocks }, (_, block) => [
    // Nothing changes over the time steps before the first neurons.
    {
      name: carriedName(group, `blocks.${block}.shift1`),
      shape: [block === 0 ? 1 : steps, batch, width],
    },
    {
      name: carriedName(group, `blocks.${block}.attention`),
      shape: [steps, batch, heads, headWidth, headWidth],
    },
    { name: carriedName(group, `blocks.${block}.shift2`), shape: [steps, batch, width] },
  ]).flat();
}

/** What the rows of a group carry at a site, such as `blocks.0.shift1`. */
export function carriedName(group: number, site: string): string {
  return `carried.${group}.${site}`;
}
