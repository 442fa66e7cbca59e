import { wordsPerRow } from '../../graph/tensor.ts';
import type { Attributes, LayerModel } from '../../kernels/kernels.ts';
import { LAYER_MODELS, SURROGATES } from '../../kernels/neurons.ts';
import {
  type Argument,
  type Binder,
  type CallWith,
  grainOf,
  over,
  real,
  type Site,
} from './commands.ts';
import {
  BLOCK,
  DEPTH_BLOCK,
  LANES,
  SLAB,
  strideOf,
  TILE_BYTES,
  TILE_COLUMNS,
  TILE_ROWS,
  VECTOR_BYTES,
} from './sizes.ts';

/** Bytes of the states of the neurons of a word, and of what they carry back (neuron-layer.ts). */
const STATE_BYTES = 256;
const CARRIED_BYTES = 8 * 96 + 64;
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

/** Vectors of four neurons of a time step. */
function vectors({ rows, width }: Rows): number {
  return Math.ceil((rows * width) / LANES);
}

/** A word of neurons an item, with their states of all steps in scratch. */
function perWord<A extends Layer>(
  args: (call: CallWith<A>, site: Site) => readonly Argument[],
): Binder<A> {
  const scratch = ({ steps }: A) => STATE_BYTES * (steps + 1) + CARRIED_BYTES;
  return over(spikeWords, { args, scratch });
}

/** The arguments of all kernels of a layer; then come the model's constants, or the neurons' own. */
function layerArguments(
  { operands, attributes }: CallWith<Layer & { readonly surrogate?: (typeof SURROGATES)[number] }>,
  { at }: Site,
  model: number,
): Argument[] {
  const { current, spikes, membrane, gradient, currentGradient } = operands;
  const { steps, rows, width, surrogate } = attributes;
  return [
    ...[at(current), steps, rows, width, currentStride(attributes)],
    ...[at(spikes ?? membrane ?? gradient), at(currentGradient), model],
    surrogate ? SURROGATES.indexOf(surrogate) : 0,
  ];
}

const ofModel = perWord<Layer & LayerModel>((call, site) => {
  const { model, ...values } = call.attributes;
  const number = Object.keys(LAYER_MODELS).indexOf(model);
  const constants = Object.keys(LAYER_MODELS[model]);
  // Every constant of the model is among the attributes; TypeScript loses which model it is.
  const value = (name: string) =>
    (values as unknown as Readonly<Record<string, number>>)[name] ?? 0;
  return [...layerArguments(call, site, number), ...constants.map((name) => real(value(name)))];
});

const ofEvoLif = perWord<Layer>((call, site) => {
  const { beta, threshold, betaGradient, thresholdGradient } = call.operands;
  const own = [beta, threshold, betaGradient, thresholdGradient].map(site.at);
  return [...layerArguments(call, site, 0), ...own];
});

type Lif = Attributes<'lif_backward'>;

/** lif_backward: the gradient of the current over that of the spikes, or summed over the steps. */
const lifBackward = over<Lif>((a) => Math.ceil((a.rows * a.width) / BLOCK), {
  kernel: 'lif_backward',
  scratch: ({ steps }) => 4 * BLOCK * (steps + 1),
  args({ operands, attributes }, { at }) {
    const {
      current,
      decay,
      gradient,
      spikeGradient = gradient,
      currentGradient = gradient,
    } = operands;
    const { steps, rows, width, beta, threshold, surrogate } = attributes;
    const neurons = rows * width;
    return [
      ...[at(current), at(spikeGradient), at(currentGradient), gradient ? neurons : 0],
      ...[steps, neurons, real(beta), real(threshold), SURROGATES.indexOf(surrogate), at(decay)],
    ];
  },
});

/** Four neurons an item. */
function relaxed<A extends Layer>(): Binder<A> {
  return over<A>(vectors, {
    grain: 64,
    scratch: ({ steps }) => VECTOR_BYTES * steps,
    derived: (a) => [a.rows * a.width, currentStride(a)],
  });
}

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
  lif_forward: over<Layer>(spikeWords, { grain: 32, ...withStride }),
  lif_backward: lifBackward,
  lif_backward_held: lifBackward,
  lif_membrane: over<Layer>((a) => a.rows, withStride),
  lif_membrane_backward: over<Layer>(vectors, {
    grain: 256,
    derived: (a) => [a.rows * a.width, Number(a.currentSteps === 1 && a.steps > 1)],
  }),
  spike_count: over<Rows>((a) => wordsPerRow(a.width), { grain: 'all' }),
  slot_spike_count: over<Rows>((a) => a.rows, { derived: (a) => [wordsPerRow(a.width)] }),
  membrane_spike_count: over<Rows>(vectors, {
    grain: 256,
    derived: (a) => [a.rows * a.width],
  }),
  neuron_forward: ofModel,
  neuron_backward: ofModel,
  neuron_membrane: ofModel,
  evo_lif_forward: ofEvoLif,
  evo_lif_backward: ofEvoLif,
  evo_lif_membrane: ofEvoLif,
  integer_lif: over<Layer>(spikeWords, { grain: 32, ...withStride }),
  integrate_fire: over<Rows>((a) => a.rows * Math.ceil(a.width / LANES), { grain: 64 }),
  recurrent_lif_forward: recurrentForward,
  recurrent_lif_backward: recurrentBackward,
  synchrony_forward: synchrony,
  synchrony_backward: synchrony,
  energy_gate: over<Attributes<'energy_gate'>>((a) => spikeWords(a) / a.sequence),
  mask_gradient: over<Attributes<'mask_gradient'>>((a) => a.steps * a.rows),
  reward_signal: over<object>(() => 1, { grain: 'all' }),
  relaxed_lif_forward: relaxed(),
  relaxed_lif_backward: relaxed(),
};
