import type { LayerAttributes, LayerModel } from '../../graph/layer-kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { type Bound, grainOf, type Real, real, single, type WasmBinders } from './commands.ts';
import { SURROGATES } from './neuron-binders.ts';

/** The numbers of engine/backends/wasm/assembly/neuron-layer.ts. */
const MODELS: Readonly<Record<LayerModel['model'], number>> = {
  lif_zero: 0,
  alif: 1,
  izhikevich: 2,
};
const VECTOR_BYTES = 16;
/** States of the neurons of a word, and what they carry back. */
const STATE_BYTES = 256;
const CARRIED_BYTES = 8 * 96 + 64;

type Layer = LayerAttributes['evo_lif_forward'];

/** The constants of a model in the order of engine/backends/wasm/assembly/neuron-models.ts. */
function constantsOf(model: LayerModel): Real[] {
  if (model.model === 'izhikevich') {
    const { a, b, c, d, start, dt, substeps, span, drive } = model;
    return [a, b, c, d, start, dt, substeps, span, drive].map(real);
  }
  const constants = [model.decay, model.threshold];
  if (model.model === 'alif') constants.push(model.adaptationDecay, model.adaptationGain);
  return constants.map(real);
}

/** Words between the time steps of what may be held; what is held is read again and again. */
function strideOf(held: { readonly ownSteps: number; readonly steps: number }, words: number) {
  return held.ownSteps === 1 && held.steps > 1 ? 0 : words;
}

/** What all kernels of a layer are told first. */
function shapeOf(current: number, { steps, rows, width, currentSteps }: Layer): number[] {
  const stride = strideOf({ ownSteps: currentSteps, steps }, rows * width);
  return [current, steps, rows, width, stride];
}

function perWord(
  kernel: string,
  { steps, rows, width }: Layer,
  args: readonly (number | Real)[],
  threads: number,
): Bound {
  const items = rows * wordsPerRow(width);
  const scratchBytes = STATE_BYTES * (steps + 1) + CARRIED_BYTES;
  return single({ kernel, items, grain: grainOf(items, threads), args, scratchBytes });
}

type Synchrony = LayerAttributes['synchrony_forward'];

function perGroup(
  kernel: string,
  attributes: Synchrony,
  tensors: readonly number[],
  threads: number,
): Bound {
  const { steps, rows, width, groups, currentSteps, couplingSteps, modulation } = attributes;
  const args = [
    ...[steps, rows, width, groups],
    strideOf({ ownSteps: currentSteps, steps }, rows * width),
    strideOf({ ownSteps: couplingSteps, steps }, rows * groups),
    ...[real(modulation), ...tensors],
  ];
  const items = rows * groups;
  const scratchBytes = VECTOR_BYTES * Math.ceil(width / groups / 4);
  return single({ kernel, items, grain: grainOf(items, threads), args, scratchBytes });
}

export const layerBinders: WasmBinders<
  | 'neuron_forward'
  | 'neuron_backward'
  | 'evo_lif_forward'
  | 'evo_lif_backward'
  | 'neuron_membrane'
  | 'evo_lif_membrane'
  | 'integer_lif'
  | 'synchrony_forward'
  | 'synchrony_backward'
> = {
  neuron_forward: ({ operands: { current, spikes }, attributes }, { at, threads }) => {
    const shape = shapeOf(at(current), attributes);
    const args = [...shape, at(spikes), 0, MODELS[attributes.model], 0, ...constantsOf(attributes)];
    return perWord('neuron_forward', attributes, args, threads);
  },
  neuron_backward: ({ operands, attributes }, { at, threads }) => {
    const args = [
      ...shapeOf(at(operands.current), attributes),
      ...[at(operands.gradient), at(operands.currentGradient)],
      ...[MODELS[attributes.model], SURROGATES[attributes.surrogate]],
      ...constantsOf(attributes),
    ];
    return perWord('neuron_backward', attributes, args, threads);
  },
  evo_lif_forward: ({ operands, attributes }, { at, threads }) => {
    const { current, spikes, beta, threshold } = operands;
    const shape = shapeOf(at(current), attributes);
    const args = [...shape, at(spikes), 0, 0, 0, at(beta), at(threshold)];
    return perWord('evo_lif_forward', attributes, args, threads);
  },
  evo_lif_backward: ({ operands, attributes }, { at, threads }) => {
    const args = [
      ...shapeOf(at(operands.current), attributes),
      ...[at(operands.gradient), at(operands.currentGradient)],
      ...[0, SURROGATES[attributes.surrogate]],
      ...[at(operands.beta), at(operands.threshold)],
      ...[at(operands.betaGradient), at(operands.thresholdGradient)],
    ];
    return perWord('evo_lif_backward', attributes, args, threads);
  },
  neuron_membrane: ({ operands: { current, membrane }, attributes }, { at, threads }) => {
    const shape = shapeOf(at(current), attributes);
    const model = [MODELS[attributes.model], 0, ...constantsOf(attributes)];
    return perWord('neuron_membrane', attributes, [...shape, at(membrane), 0, ...model], threads);
  },
  evo_lif_membrane: ({ operands, attributes }, { at, threads }) => {
    const { current, membrane, beta, threshold } = operands;
    const shape = shapeOf(at(current), attributes);
    const args = [...shape, at(membrane), 0, 0, 0, at(beta), at(threshold)];
    return perWord('evo_lif_membrane', attributes, args, threads);
  },
  integer_lif: ({ operands, attributes }, { at, threads }) => {
    const { steps, rows, width, currentSteps, leak, threshold, carried } = attributes;
    const items = rows * wordsPerRow(width);
    return single({
      kernel: 'integer_lif',
      items,
      grain: grainOf(items, threads, 32),
      args: [
        ...[at(operands.current), at(operands.membrane), at(operands.spikes), steps, rows, width],
        strideOf({ ownSteps: currentSteps, steps }, rows * width),
        ...[leak, threshold, Number(carried)],
      ],
    });
  },
  synchrony_forward: ({ operands, attributes }, { at, threads }) => {
    const { current, coupling, frequency, start, drive, phase, mean, order } = operands;
    const tensors = [current, coupling, frequency, start, drive, phase, mean, order].map(at);
    return perGroup('synchrony_forward', attributes, tensors, threads);
  },
  synchrony_backward: ({ operands, attributes }, { at, threads }) => {
    const { current, coupling, phase, mean, gradient } = operands;
    const { currentGradient, couplingGradient } = operands;
    const read = [current, coupling, phase, mean, gradient];
    const tensors = [...read, currentGradient, couplingGradient].map(at);
    return perGroup('synchrony_backward', attributes, tensors, threads);
  },
};
