import { wordsPerRow } from '../../graph/tensor.ts';
import type { Attributes } from '../../kernels/kernels.ts';
import { SURROGATES } from '../../kernels/neurons.ts';
import { type Binder, grainOf, over, real } from './commands.ts';
import {
  DEPTH_BLOCK,
  LANES,
  SLAB,
  strideOf,
  TILE_BYTES,
  TILE_COLUMNS,
  TILE_ROWS,
  VECTOR_BYTES,
} from './sizes.ts';

/** Rows that recurrent.ts takes at a time. */
const GROUP_ROWS = 8;

interface Rows {
  readonly rows: number;
  readonly width: number;
}

interface Layer extends Rows {
  readonly steps: number;
  readonly currentSteps: number;
}

/** Words that the packed spikes of a time step take. */
export function spikeWords({ rows, width }: Rows): number {
  return rows * wordsPerRow(width);
}

function currentStride({ steps, rows, width, currentSteps }: Layer): number {
  return strideOf(currentSteps, steps, rows * width);
}

const withStride = { derived: (a: Layer) => [currentStride(a)] };

type Lif = Attributes<'recurrent_lif_backward'>;

type Synchrony = Attributes<'synchrony_forward'>;

const synchrony = over<Synchrony>((a) => a.rows * a.groups, {
  scratch: ({ width, groups }) => VECTOR_BYTES * Math.ceil(width / groups / LANES),
  args({ kernel, operands, attributes }, { at }) {
    const { steps, rows, width, groups, couplingSteps, modulation } = attributes;
    const couplingStride = strideOf(couplingSteps, steps, rows * groups);
    const sizes = [steps, rows, width, groups, currentStride(attributes), couplingStride];
    const tensors = Object.keys(kernel.operands).map((name) => at(operands[name]));
    return [...sizes, real(modulation), ...tensors];
  },
});

const recurrentForward: Binder<Attributes<'recurrent_lif_forward'>> = (
  { operands, attributes },
  { at, shared, threads },
) => {
  const { steps, rows, width, beta, threshold } = attributes;
  const slabs = Math.ceil(width / SLAB);
  const pack = {
    kernel: 'pack_slabs',
    items: slabs,
    grain: grainOf(slabs, threads),
    args: [at(operands['weight']), shared, width, width],
  };
  const play = {
    kernel: 'recurrent_lif_forward',
    items: Math.ceil(rows / GROUP_ROWS),
    grain: 1,
    args: [
      ...[at(operands['current']), shared, at(operands['spikes']), at(operands['membrane'])],
      ...[at(operands['bias']), steps, rows, width, currentStride(attributes)],
      ...[real(beta), real(threshold)],
    ],
    scratchBytes: GROUP_ROWS * (4 * Math.ceil(width / DEPTH_BLOCK) + 64 * wordsPerRow(width)),
  };
  return { commands: [pack, play], sharedBytes: 4 * slabs * SLAB * width };
};

const recurrentBackward: Binder<Lif> = ({ operands, attributes }, { at, shared, threads }) => {
  const { steps, rows, width, beta, threshold, surrogate } = attributes;
  const panels = Math.ceil(width / TILE_COLUMNS);
  const pack = {
    kernel: 'pack_panels',
    items: panels,
    grain: grainOf(panels, threads),
    args: [at(operands['weight']), shared, width, width, 1],
  };
  const play = {
    kernel: 'recurrent_lif_backward',
    items: Math.ceil(rows / TILE_ROWS),
    grain: 1,
    args: [
      ...[at(operands['membrane']), shared, at(operands['gradient']), steps, rows, width],
      ...[real(beta), real(threshold), SURROGATES.indexOf(surrogate)],
    ],
    scratchBytes: TILE_BYTES,
  };
  return { commands: [pack, play], sharedBytes: 4 * panels * TILE_COLUMNS * width };
};

export const neuronBinders = {
  spike_count: over<Rows>((a) => wordsPerRow(a.width), { grain: 'all' }),
  slot_spike_count: over<Rows>((a) => a.rows, { derived: (a) => [wordsPerRow(a.width)] }),
  integer_lif: over<Layer>(spikeWords, { grain: 32, ...withStride }),
  recurrent_lif_forward: recurrentForward,
  recurrent_lif_backward: recurrentBackward,
  synchrony_forward: synchrony,
  synchrony_backward: synchrony,
  energy_gate: over<Attributes<'energy_gate'>>((a) => spikeWords(a) / a.sequence),
};
