import type { SpikeEvents } from '../../../engine/index.ts';
import type { RasterPart } from '../raster-layout.ts';

/** Some consecutive columns of the raster: bits [columns][ceil(rows / 32)]. */
interface RasterColumns {
  /** The first step of the first column, and how many steps each gathers. */
  readonly from: number;
  readonly columnSteps: number;
  readonly rowWords: number;
  readonly words: Uint32Array;
}

/** Sets the bits of the neurons that are shown of a population, the first of it. */
export function fillRows(
  { step, neuron }: SpikeEvents,
  { firstRow, rows }: Pick<RasterPart, 'firstRow' | 'rows'>,
  { from, columnSteps, rowWords, words }: RasterColumns,
): void {
  for (let i = 0; i < step.length; i++) {
    const who = neuron[i] ?? 0;
    if (who >= rows) continue;
    const row = firstRow + who;
    const column = Math.floor(((step[i] ?? 0) - from) / columnSteps);
    const at = column * rowWords + (row >>> 5);
    words[at] = (words[at] ?? 0) | (1 << (row & 31));
  }
}

/** How many neurons fired in each of `steps` steps. */
export function countsPerStep(
  { step }: SpikeEvents,
  from: number,
  steps: number,
): Uint32Array<ArrayBuffer> {
  const counts = new Uint32Array(steps);
  for (const at of step) counts[at - from] = (counts[at - from] ?? 0) + 1;
  return counts;
}
