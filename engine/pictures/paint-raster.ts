import type { Context2d } from './surface.ts';

/** Below this height in px a row has no gap to the next one. */
export const GAP_FROM = 5;

/**
 * Marks the rows of the neurons that fire in one step, neuron 0 at the bottom. Where there are fewer rows than
 * neurons, several share a row, which is lit when any of them fires: no spike is lost.
 *
 * @param words [ceil(neurons / 32)] spikes as bits, least significant first
 * @param lit [rows] set to 1 where a neuron fires, left as it is elsewhere
 */
export function lightRows(words: Uint32Array, neurons: number, lit: Uint8Array): void {
  for (let word = 0; word < words.length; word++) {
    // Only set bits are visited: layers are silent most of the time.
    for (let left = words[word] ?? 0; left !== 0; left &= left - 1) {
      const neuron = word * 32 + (31 - Math.clz32(left & -left));
      lit[rowOf(neuron, neurons, lit.length)] = 1;
    }
  }
}

/** The row of a neuron from above. */
export const rowOf = (neuron: number, neurons: number, rows: number): number =>
  rows - 1 - Math.floor((neuron * rows) / neurons);

/** A column of a raster: its edges in px, and the top edge of each row. */
interface RasterColumn {
  readonly left: number;
  readonly width: number;
  readonly top: (row: number) => number;
  /** Space between two rows in px. */
  readonly gap: number;
}

/**
 * Fills the lit rows of one column, in the fill of the context: one rectangle for all that touch.
 * @param lit [rows] 1 where a row is lit
 */
export function paintColumn(
  context: Pick<Context2d, 'fillRect'>,
  lit: Uint8Array,
  { left, width, top, gap }: RasterColumn,
): void {
  for (let row = lit.indexOf(1); row >= 0; row = lit.indexOf(1, row)) {
    const first = row++;
    if (gap === 0) while (lit[row] === 1) row++;
    const upper = top(first) + (first === 0 ? 0 : gap / 2);
    const lower = top(row) - (row === lit.length ? 0 : gap / 2);
    context.fillRect(left, upper, width, lower - upper);
  }
}
