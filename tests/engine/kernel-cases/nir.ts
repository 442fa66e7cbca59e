import type { SpikeReset } from '../../../engine/kernels/neurons.ts';
import type { Source } from '../random.ts';
import { type CaseMakers, f32, numbers, u32 } from './operands.ts';

const RESETS: readonly SpikeReset[] = ['none', 'value', 'subtract', 'delayed'];

/** Neurons with parameters of their own for every reset; delays shorter and longer than a play. */
export const nirCases = {
  integrate_fire: (size, from) =>
    [
      { steps: 6, rows: 2, width: size },
      { steps: 5, rows: size, width: 7 },
    ].flatMap((shape) =>
      RESETS.map((reset) => ({
        name: `${reset}, T ${shape.steps} of ${shape.rows} x ${shape.width}`,
        kernel: 'integrate_fire',
        operands: { ...neurons(shape, reset, from), output: numbers(axes(shape), from) },
        attributes: { ...shape, reset },
      })),
    ),
  delay_features: (size, from) =>
    [
      { steps: 4, rows: 2, width: size, depth: 9 },
      { steps: 5, rows: size, width: 3, depth: 2 },
      { steps: 1, rows: 1, width: size, depth: 1 },
    ].map((attributes) => {
      const { rows, width, depth } = attributes;
      return {
        name: `T ${attributes.steps}, up to ${depth} of ${rows} x ${width}`,
        kernel: 'delay_features',
        operands: {
          input: numbers(axes(attributes), from),
          delays: u32([width], from.integers(width, depth + 1)),
          past: numbers([depth, rows, width], from),
          output: numbers(axes(attributes), from),
        },
        attributes,
      };
    }),
} satisfies Partial<CaseMakers>;

interface Shape {
  readonly steps: number;
  readonly rows: number;
  readonly width: number;
}

function axes({ steps, rows, width }: Shape): number[] {
  return [steps, rows, width];
}

function neurons(shape: Shape, reset: SpikeReset, from: Source) {
  const { steps, rows, width } = shape;
  const parameters = new Float32Array(5 * width);
  const ranges = [
    [0, 1],
    [0.5, 1.5],
    [-0.1, 0.1],
    [0.3, 0.8],
    [-0.2, 0.6],
  ] as const;
  for (const [line, [low, high]] of ranges.entries()) {
    parameters.set(from.floats(width, low, high), line * width);
  }
  const membrane = from.floats(rows * width, -0.5, 0.3);
  const drive = new Float32Array(steps * rows * width);
  for (let i = 0; i < rows * width; i++) {
    // Drawn again while rounding could flip a spike.
    do {
      for (let t = 0; t < steps; t++) drive[t * rows * width + i] = from.uniform(-0.4, 1);
    } while (closest({ drive, parameters, membrane }, i, shape, reset) < 1e-4);
  }
  return {
    drive: f32([steps, rows, width], drive),
    parameters: f32([5, width], parameters),
    membrane: f32([rows, width], membrane),
  };
}

/** How close the membrane of one neuron comes to its threshold. */
function closest(
  given: Readonly<Record<'drive' | 'parameters' | 'membrane', Float32Array>>,
  i: number,
  { steps, rows, width }: Shape,
  mode: SpikeReset,
): number {
  const [decay, gain, drift, threshold, reset] = [0, 1, 2, 3, 4].map(
    (line) => given.parameters[line * width + (i % width)]!,
  ) as [number, number, number, number, number];
  let v = given.membrane[i]!;
  let margin = Number.POSITIVE_INFINITY;
  for (let t = 0; t < steps; t++) {
    const hasFired = mode === 'delayed' && v > threshold;
    const u =
      decay * v + gain * given.drive[t * rows * width + i]! + drift - (hasFired ? reset : 0);
    margin = Math.min(margin, Math.abs(u - threshold));
    v = u;
    if (u > threshold && mode === 'value') v = reset;
    if (u > threshold && mode === 'subtract') v = u - reset;
  }
  return mode === 'none' ? Number.POSITIVE_INFINITY : margin;
}
