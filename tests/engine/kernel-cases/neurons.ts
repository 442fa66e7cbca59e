import type { Attributes } from '../../../engine/kernels/kernels.ts';
import type { Surrogate } from '../../../engine/kernels/neurons.ts';
import type { Source } from '../random.ts';
import { bits, type CaseMakers, emptyBits, f32, numbers, slotWords, u32 } from './operands.ts';

const SURROGATES: readonly Surrogate[] = ['atan', 'fast_sigmoid', 'sigmoid', 'triangle'];

/** Currents that change over the steps and currents held constant, for every surrogate. */
export const neuronCases = {
  lif_forward: (size, from) =>
    lifCases(size, from).map(({ current, attributes }, index) => ({
      name: `T ${attributes.steps} from ${attributes.currentSteps}`,
      kernel: 'lif_forward',
      operands: {
        current,
        spikes: emptyBits([attributes.steps, attributes.rows, attributes.width]),
        ...movingBeta(index).operand,
      },
      attributes: { ...attributes, ...movingBeta(index).fixed },
    })),
  lif_backward: (size, from) =>
    backwardCases(size, from, false).map(({ current, gradient, attributes, name }, index) => ({
      name,
      kernel: 'lif_backward',
      operands: { current, gradient, ...movingBeta(index).operand },
      attributes: { ...attributes, ...movingBeta(index).fixed },
    })),
  lif_backward_held: (size, from) =>
    backwardCases(size, from, true).map(({ current, gradient, attributes, name }, index) => ({
      name,
      kernel: 'lif_backward_held',
      operands: {
        current,
        spikeGradient: gradient,
        currentGradient: numbers([...current.shape], from),
        ...movingBeta(index).operand,
      },
      attributes: { ...attributes, ...movingBeta(index).fixed },
    })),
  lif_membrane: (size, from) =>
    lifCases(size, from).map(({ current, attributes }, index) => ({
      name: `T ${attributes.steps} from ${attributes.currentSteps}`,
      kernel: 'lif_membrane',
      operands: {
        current,
        membrane: numbers([attributes.steps, attributes.rows, attributes.width], from),
        ...movingBeta(index).operand,
      },
      attributes: { ...attributes, ...movingBeta(index).fixed },
    })),
  spike_count: (size, from) =>
    [
      { rows: size, width: 33 },
      { rows: 65, width: size },
    ].map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'spike_count',
      operands: {
        spikes: bits([rows, width], from),
        counts: u32([width], from.integers(width, 10)),
      },
      attributes: { rows, width },
    })),
  slot_spike_count: (size, from) =>
    [
      { steps: 4, rows: 3, width: size, slots: 5, layers: 3, layer: 1 },
      { steps: 2, rows: size, width: 33, slots: size, layers: 2, layer: 0 },
    ].map(({ slots, ...attributes }) => ({
      name: JSON.stringify(attributes),
      kernel: 'slot_spike_count',
      operands: {
        spikes: bits([attributes.steps, attributes.rows, attributes.width], from),
        slots: slotWords({ rows: attributes.rows, slots }, from),
        counts: u32([slots, attributes.layers], from.integers(slots * attributes.layers, 10)),
      },
      attributes,
    })),
  lif_membrane_backward: (size, from) =>
    lifShapes(size).map(({ steps, rows, width, currentSteps }) => ({
      name: `T ${steps} to ${currentSteps}`,
      kernel: 'lif_membrane_backward',
      operands: {
        gradient: numbers([steps, rows, width], from),
        currentGradient: numbers([currentSteps, rows, width], from),
      },
      attributes: { steps, rows, width, currentSteps, beta: 0.9 },
    })),
  membrane_spike_count: (size, from) =>
    lifShapes(size).map(({ steps, rows, width }) => ({
      name: `T ${steps}`,
      kernel: 'membrane_spike_count',
      operands: {
        // Some membranes lie on the threshold itself, where a neuron does not fire.
        membrane: f32(
          [steps, rows, width],
          from.floats(steps * rows * width, -1, 3).map(Math.round),
        ),
        counts: u32([rows, width], from.integers(rows * width, 10)),
      },
      attributes: { steps, rows, width, threshold: 1 },
    })),
} satisfies Partial<CaseMakers>;

/** In every second case a beta that moves, which is read in place of the fixed one. */
function movingBeta(index: number) {
  if (index % 2 === 0) return { operand: {}, fixed: {} };
  return { operand: { decay: f32([1], Float32Array.of(0.9)) }, fixed: { beta: 0.2 } };
}

function lifShapes(size: number) {
  return [
    { steps: 4, rows: 3, width: size, currentSteps: 4 },
    { steps: 7, rows: size, width: 5, currentSteps: 7 },
    { steps: 4, rows: 2, width: size, currentSteps: 1 },
    { steps: 1, rows: size, width: 33, currentSteps: 1 },
  ];
}

function lifCases(size: number, from: Source) {
  return lifShapes(size).map((shape) => ({
    current: f32([shape.currentSteps, shape.rows, shape.width], awayFromThreshold(shape, from)),
    attributes: { ...shape, beta: 0.9, threshold: 1 } satisfies Attributes<'lif_forward'>,
  }));
}

/**
 * Every surrogate, on currents that are held or on those that are not. The slope of the sigmoid
 * magnifies the rounding of membranes 60 times, so the gradients are small.
 */
function backwardCases(size: number, from: Source, isHeld: boolean) {
  return lifCases(size, from)
    .filter(({ attributes: { steps, currentSteps } }) => currentSteps < steps === isHeld)
    .flatMap(({ current, attributes: { steps, rows, width, beta, threshold } }) =>
      SURROGATES.map((surrogate) => ({
        name: `T ${steps} of ${rows} x ${width}, ${surrogate}`,
        current,
        gradient: numbers([steps, rows, width], from, -0.5, 0.5),
        attributes: { steps, rows, width, beta, threshold, surrogate },
      })),
    );
}

type Currents = Pick<Attributes<'lif_forward'>, 'steps' | 'rows' | 'width' | 'currentSteps'>;

/** Drawn again while a membrane comes so close to the threshold that rounding could flip a spike. */
function awayFromThreshold(shape: Currents, from: Source): Float32Array {
  const { rows, width, currentSteps } = shape;
  const neurons = rows * width;
  const current = new Float32Array(currentSteps * neurons);
  for (let i = 0; i < neurons; i++) {
    do {
      for (let t = 0; t < currentSteps; t++) current[t * neurons + i] = from.uniform(-0.5, 1.5);
    } while (closest(current, i, shape) < 1e-4);
  }
  return current;
}

/** How close the membrane of one neuron comes to the threshold. */
function closest(
  current: Float32Array,
  neuron: number,
  { steps, rows, width, currentSteps }: Currents,
): number {
  let u = 0;
  let margin = Number.POSITIVE_INFINITY;
  for (let t = 0; t < steps; t++) {
    const drive = current[currentSteps === 1 ? neuron : t * rows * width + neuron]!;
    u = 0.9 * u + drive - (u > 1 ? 1 : 0);
    margin = Math.min(margin, Math.abs(u - 1));
  }
  return margin;
}
