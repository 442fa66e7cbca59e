import type { ProjectionSpec, SimulationDescription } from '../../engine/index.ts';

/** A population in the raster: its rows, from the first of them on. */
export interface RasterPart {
  readonly name: string;
  readonly count: number;
  readonly firstRow: number;
  readonly rows: number;
}

/** How the spikes of a network are laid out to be looked at. */
export interface RasterLayout {
  readonly populations: readonly RasterPart[];
  readonly rows: number;
  /** ms */
  readonly dt: number;
  /** Steps that a column gathers: about a millisecond, and at least one. */
  readonly columnSteps: number;
}

/** More rows than this are indistinguishable on any screen. */
const MAX_ROWS = 600;
const COLUMN_MS = 1;

/** Shares the rows of the raster among populations by their sizes, at least one each. */
export function rasterLayout({ populations, dt }: SimulationDescription): RasterLayout {
  const total = populations.reduce((sum, { count }) => sum + count, 0);
  const share = Math.min(1, MAX_ROWS / total);
  let rows = 0;
  const parts = populations.map(({ name, count }) => {
    const part = { name, count, firstRow: rows, rows: Math.max(1, Math.floor(count * share)) };
    rows += part.rows;
    return part;
  });
  return { populations: parts, rows, dt, columnSteps: Math.max(1, Math.round(COLUMN_MS / dt)) };
}

/** The projections whose weights change, in their order. */
export const plasticProjections = ({ projections = [] }: SimulationDescription): ProjectionSpec[] =>
  projections.filter(({ plasticity }) => plasticity);
