import type { Attributes, LayerModel } from '../../../engine/kernels/kernels.ts';
import type { Surrogate } from '../../../engine/kernels/neurons.ts';
import { evoLif, type Neuron, neuronOf } from '../../../engine/backends/reference/neuron-models.ts';
import { integerMembraneShape } from '../../../engine/kernels/neurons.ts';
import { izhikevichPresets } from '../../../engine/neurons/izhikevich-presets.ts';
import type { Source } from '../random.ts';
import { both, type CaseMakers, emptyBits, f32, numbers, u32 } from './operands.ts';

const SURROGATES: readonly Surrogate[] = ['atan', 'fast_sigmoid', 'sigmoid', 'triangle'];

const izhikevich = { model: 'izhikevich', start: -65, dt: 0.5, span: 95, drive: 1 } as const;
const models: readonly LayerModel[] = [
  { model: 'lif_zero', decay: 0.9, threshold: 1 },
  { model: 'alif', decay: 0.9, threshold: 1, adaptationDecay: 0.96, adaptationGain: 0.4 },
  { ...izhikevich, ...izhikevichPresets.CH, substeps: 1, drive: 1.5 },
  { ...izhikevich, ...izhikevichPresets.LTS, dt: 1, substeps: 2 },
];

const inShortSteps = (model: LayerModel): LayerModel =>
  model.model === 'izhikevich' ? { ...model, dt: 0.125 } : model;

type Layer = Attributes<'evo_lif_forward'>;

/** The neuron of each place of a layer. */
type Neurons = (i: number) => Neuron;

/** Currents under which some neurons of a model fire often and others never. */
function rangeOf({ model }: LayerModel): readonly [number, number] {
  return model === 'izhikevich' ? [-20, 120] : [-0.5, 1.5];
}

/** Drawn again while a neuron comes so close to its threshold that rounding could flip a spike. */
function currentFor(layer: Layer, neuronAt: Neurons, from: Source, range: readonly number[]) {
  const { rows, width, currentSteps } = layer;
  const [low = 0, high = 0] = range;
  const current = new Float32Array(currentSteps * rows * width);
  for (let i = 0; i < rows * width; i++) {
    const margin = Math.max(1e-4, 1e-4 * high);
    do {
      for (let t = 0; t < currentSteps; t++)
        current[t * rows * width + i] = from.uniform(low, high);
    } while (closest(current, i, layer, neuronAt(i)) < margin);
  }
  return f32([currentSteps, rows, width], current);
}

/** How close one neuron comes to its threshold. */
function closest(
  current: Float32Array,
  i: number,
  { steps, rows, width, currentSteps }: Layer,
  neuron: Neuron,
): number {
  let state = neuron.initial;
  let least = Number.POSITIVE_INFINITY;
  for (let t = 0; t < steps; t++) {
    state = neuron.advance(state, current[(t % currentSteps) * rows * width + i]!);
    least = Math.min(least, Math.abs(neuron.excess(state)));
  }
  return least;
}

/** More steps than fit one chunk of the shader, a current that is held, and a single step. */
const forwardShapes = (size: number): Layer[] => [
  { steps: 35, rows: 2, width: size, currentSteps: 35 },
  { steps: 4, rows: size, width: 33, currentSteps: 1 },
  { steps: 1, rows: 3, width: size, currentSteps: 1 },
];

/** All of a list meet the first shape, half of them each of the others. */
const isMet = (shape: number) => (_: unknown, index: number) =>
  shape === 0 || index % 2 === shape % 2;

const backwardShapes = (size: number): Layer[] => [
  { steps: 6, rows: size, width: 5, currentSteps: 6 },
  { steps: 4, rows: 2, width: size, currentSteps: 1 },
];

function nameOf({ steps, currentSteps, rows, width }: Layer): string {
  return `T ${steps} from ${currentSteps} of ${rows} x ${width}`;
}

/** A layer of neurons whose leaks and thresholds differ, with its current. */
function evoLayer(shape: Layer, from: Source) {
  const beta = from.floats(shape.width, 0.5, 0.98);
  const threshold = from.floats(shape.width, 0.4, 1.5);
  const neuronAt = (i: number) => evoLif(beta[i % shape.width]!, threshold[i % shape.width]!);
  return {
    current: currentFor(shape, neuronAt, from, [-0.5, 1.5]),
    beta: f32([shape.width], beta),
    threshold: f32([shape.width], threshold),
  };
}

export const layerCases = {
  neuron_forward: (size, from) =>
    forwardShapes(size).flatMap((shape, k) =>
      models.filter(isMet(k)).map((model) => ({
        name: `${model.model} ${nameOf(shape)}`,
        kernel: 'neuron_forward',
        operands: {
          current: currentFor(shape, () => neuronOf(model), from, rangeOf(model)),
          spikes: emptyBits([shape.steps, shape.rows, shape.width]),
        },
        attributes: { ...shape, ...model },
      })),
    ),
  // Few and short steps: an Izhikevich membrane magnifies its rounding in each of them.
  neuron_membrane: (size, from) =>
    [
      { steps: 3, rows: 2, width: size, currentSteps: 3 },
      { steps: 2, rows: size, width: 5, currentSteps: 1 },
    ].flatMap((shape) =>
      models.map(inShortSteps).map((model) => ({
        name: `${model.model} ${nameOf(shape)}`,
        kernel: 'neuron_membrane',
        operands: {
          current: currentFor(shape, () => neuronOf(model), from, rangeOf(model)),
          membrane: numbers([shape.steps, shape.rows, shape.width], from),
        },
        attributes: { ...shape, ...model },
      })),
    ),
  evo_lif_membrane: (size, from) =>
    forwardShapes(size).map((shape) => ({
      name: nameOf(shape),
      kernel: 'evo_lif_membrane',
      operands: {
        ...evoLayer(shape, from),
        membrane: numbers([shape.steps, shape.rows, shape.width], from),
      },
      attributes: shape,
    })),
  neuron_backward: (size, from) =>
    backwardShapes(size).flatMap((shape, k) =>
      models.map((model, m) => {
        const surrogate = SURROGATES[(k + m) % SURROGATES.length]!;
        const { steps, rows, width, currentSteps } = shape;
        return {
          name: `${model.model} ${nameOf(shape)}, ${surrogate}`,
          kernel: 'neuron_backward',
          operands: {
            current: currentFor(shape, () => neuronOf(model), from, rangeOf(model)),
            gradient: numbers([steps, rows, width], from, -0.5, 0.5),
            currentGradient: numbers([currentSteps, rows, width], from),
          },
          attributes: { ...shape, ...model, surrogate },
        };
      }),
    ),
  evo_lif_forward: (size, from) =>
    forwardShapes(size).map((shape) => ({
      name: nameOf(shape),
      kernel: 'evo_lif_forward',
      operands: {
        ...evoLayer(shape, from),
        spikes: emptyBits([shape.steps, shape.rows, shape.width]),
      },
      attributes: shape,
    })),
  evo_lif_backward: (size, from) =>
    backwardShapes(size).flatMap((shape, k) =>
      SURROGATES.filter((_, s) => s % 2 === k).map((surrogate) => {
        const { steps, rows, width, currentSteps } = shape;
        return {
          name: `${nameOf(shape)}, ${surrogate}`,
          kernel: 'evo_lif_backward',
          operands: {
            ...evoLayer(shape, from),
            gradient: numbers([steps, rows, width], from, -0.5, 0.5),
            currentGradient: numbers([currentSteps, rows, width], from),
            betaGradient: numbers([rows, width], from),
            thresholdGradient: numbers([rows, width], from),
          },
          attributes: { ...shape, surrogate },
        };
      }),
    ),
  integer_lif: (size, from) =>
    forwardShapes(size).flatMap((shape, k) =>
      both.filter(isMet(k)).map((carried) => {
        const { steps, rows, width, currentSteps } = shape;
        const [, words] = integerMembraneShape(rows, width);
        const count = currentSteps * rows * width;
        return {
          name: `${nameOf(shape)}, carried ${carried}`,
          kernel: 'integer_lif',
          operands: {
            current: u32([currentSteps, rows, width], integerCurrents(count, from)),
            membrane: u32([rows, words], from.integers(rows * words, 2 ** 32)),
            spikes: emptyBits([steps, rows, width]),
          },
          attributes: { ...shape, leak: 230, threshold: 1024, carried },
        };
      }),
    ),
  synchrony_forward: (size, from) =>
    synchronyShapes(size).map((attributes) => ({
      name: JSON.stringify(attributes),
      kernel: 'synchrony_forward',
      operands: {
        ...synchronyInputs(attributes, from),
        frequency: numbers([attributes.width], from, -0.3, 0.3),
        start: numbers([attributes.width], from),
        drive: numbers([attributes.steps, attributes.rows, attributes.width], from),
        phase: numbers([attributes.steps, attributes.rows, attributes.width], from),
        order: numbers([attributes.steps, attributes.rows, attributes.groups], from),
      },
      attributes,
    })),
  synchrony_backward: (size, from) =>
    synchronyShapes(size).map((attributes) => {
      const { steps, rows, width, groups, currentSteps, couplingSteps } = attributes;
      return {
        name: JSON.stringify(attributes),
        kernel: 'synchrony_backward',
        operands: {
          ...synchronyInputs(attributes, from),
          phase: numbers([steps, rows, width], from),
          gradient: numbers([steps, rows, width], from),
          currentGradient: numbers([currentSteps, rows, width], from),
          couplingGradient: numbers([couplingSteps, rows, groups], from),
        },
        attributes,
      };
    }),
} satisfies Partial<CaseMakers>;

/** Most about the threshold, some that saturate the membrane, and some at the ends of int32. */
function integerCurrents(count: number, from: Source): Uint32Array {
  const kinds = from.integers(count, 16);
  return Uint32Array.from({ length: count }, (_, i) => {
    const kind = kinds[i]!;
    if (kind === 0) return from.uniform(0, 1) < 0.5 ? 0x80000000 : 0x7fffffff;
    const range = kind < 4 ? 70_000 : 1500;
    return Math.round(from.uniform(-range, range));
  });
}

type Synchrony = Attributes<'synchrony_forward'>;

function synchronyShapes(size: number): Synchrony[] {
  return [
    { rows: 2, width: size, groups: 1, steps: 3, currentSteps: 3, couplingSteps: 1 },
    { rows: size, width: 6, groups: 2, steps: 4, currentSteps: 1, couplingSteps: 4 },
    { rows: 1, width: 3 * size, groups: 3, steps: 1, currentSteps: 1, couplingSteps: 1 },
  ].map((shape) => ({ ...shape, modulation: 0.7 }));
}

function synchronyInputs(
  { rows, width, groups, currentSteps, couplingSteps }: Synchrony,
  from: Source,
) {
  return {
    current: numbers([currentSteps, rows, width], from),
    coupling: numbers([couplingSteps, rows, groups], from, 0, 1.5),
  };
}
