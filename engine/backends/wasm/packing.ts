import { type Bound, grainOf, sharedCommand, type Site } from './commands.ts';
import { SLAB, TILE_COLUMNS } from './sizes.ts';

interface Matrix {
  readonly depth: number;
  readonly columns: number;
}

/** The right side of a product into panels, in the memory that commands share. */
export function packPanels(
  { columns, depth }: Matrix,
  source: { readonly sourceAt: number; readonly isTransposed: number },
  { shared, threads }: Site,
): Bound & { readonly sharedBytes: number } {
  const panels = Math.ceil(columns / TILE_COLUMNS);
  const work = { items: panels, grain: grainOf(panels, threads) };
  const values = { ...source, panelsAt: shared, depth, columns };
  return {
    commands: [sharedCommand('pack_panels', work, values)],
    sharedBytes: 4 * panels * TILE_COLUMNS * depth,
  };
}

/** Weights into slabs, in the memory that commands share. */
export function packSlabs(
  { columns, depth }: Matrix,
  weightAt: number,
  { shared, threads }: Site,
): Bound & { readonly sharedBytes: number } {
  const slabs = Math.ceil(columns / SLAB);
  const work = { items: slabs, grain: grainOf(slabs, threads) };
  const values = { weightAt, slabsAt: shared, depth, columns };
  return {
    commands: [sharedCommand('pack_slabs', work, values)],
    sharedBytes: 4 * slabs * SLAB * depth,
  };
}
