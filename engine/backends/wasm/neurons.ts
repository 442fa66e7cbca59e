import { wordsPerRow } from '../../graph/tensor.ts';
import type { Attributes } from '../../kernels/kernels.ts';
import { oneByOne, over } from './commands.ts';
import { packPanels, packSlabs } from './packing.ts';
import { EVENT_DEPTH, RECURRENT_ROWS, TILE_BYTES, TILE_ROWS } from './sizes.ts';

interface Rows {
  readonly rows: number;
  readonly width: number;
}

/** Words that the packed spikes of a time step take. */
export function spikeWords({ rows, width }: Rows): number {
  return rows * wordsPerRow(width);
}

const recurrentForward = over<Rows>((a) => Math.ceil(a.rows / RECURRENT_ROWS), {
  grain: oneByOne,
  added: (_, { shared }) => ({ slabsAt: shared }),
  scratch: ({ width }) =>
    RECURRENT_ROWS * (4 * Math.ceil(width / EVENT_DEPTH) + 64 * wordsPerRow(width)),
  before: ({ operands: { weight }, attributes: { width } }, site) =>
    packSlabs({ depth: width, columns: width }, site.at(weight), site),
});

const recurrentBackward = over<Rows>((a) => Math.ceil(a.rows / TILE_ROWS), {
  grain: oneByOne,
  added: (_, { shared }) => ({ panelsAt: shared }),
  scratch: () => TILE_BYTES,
  before({ operands: { weight }, attributes: { width } }, site) {
    const source = { sourceAt: site.at(weight), isTransposed: 1 };
    return packPanels({ depth: width, columns: width }, source, site);
  },
});

export const neuronBinders = {
  spike_count: over<Rows>((a) => wordsPerRow(a.width), { grain: oneByOne }),
  slot_spike_count: over<Rows>((a) => a.rows),
  integer_lif: over<Rows>(spikeWords, { grain: 32 }),
  recurrent_lif_forward: recurrentForward,
  recurrent_lif_backward: recurrentBackward,
  energy_gate: over<Attributes<'energy_gate'>>((a) => spikeWords(a) / a.sequence),
};
