import type { Surrogate } from '../../../engine/kernels/neurons.ts';
import type { Source } from '../random.ts';
import { bits, type CaseMakers, f32, numbers, rowShapes } from './operands.ts';

const SURROGATES: readonly Surrogate[] = ['atan', 'fast_sigmoid', 'sigmoid', 'triangle'];

export const epropCases = {
  eprop_neurons: (size, from) =>
    rowShapes(size).flatMap(({ rows, width }) =>
      SURROGATES.map((surrogate) => ({
        name: `${rows} rows of ${width}, ${surrogate}`,
        kernel: 'eprop_neurons',
        operands: {
          // Sixteenths are exact, so that some neurons lie on their threshold itself.
          current: sixteenths([rows, width], from),
          membrane: sixteenths([rows, width], from),
          adaptation: sixteenths([rows, width], from),
          spikes: bits([rows, width], from),
          slope: numbers([rows, width], from),
        },
        attributes: {
          rows,
          width,
          decay: 0.5,
          threshold: 0.5,
          adaptationDecay: 0.75,
          adaptationGain: 0.25,
          surrogate,
        },
      })),
    ),
  eprop_update: (size, from) =>
    updateCases(size, from).map(({ name, operands, attributes }) => ({
      name,
      kernel: 'eprop_update',
      operands,
      attributes,
    })),
  eprop_adaptive_update: (size, from) =>
    updateCases(size, from).map(({ name, operands, attributes }) => ({
      name,
      kernel: 'eprop_adaptive_update',
      operands: { ...operands, adaptation: numbers([...operands.eligibility.shape], from) },
      attributes: { ...attributes, adaptationDecay: 0.95, adaptationGain: 0.2 },
    })),
  readout_error: (count, from) => [
    {
      name: 'one step',
      kernel: 'readout_error',
      operands: {
        current: numbers([count], from),
        target: numbers([count], from),
        membrane: numbers([count], from),
        error: numbers([count], from),
        loss: numbers([count], from, 0, 1),
      },
      attributes: { count, decay: 0.9 },
    },
  ],
} satisfies Partial<CaseMakers>;

function updateCases(size: number, from: Source) {
  return [
    { rows: 3, pre: 5, post: size },
    { rows: 1, pre: size, post: 6 },
  ].map(({ rows, pre, post }) => ({
    name: `${rows} rows, ${pre} to ${post}`,
    operands: {
      trace: numbers([rows, pre], from),
      slope: numbers([rows, post], from, 0, 1),
      signal: numbers([rows, post], from),
      eligibility: numbers([rows, pre, post], from),
      gradient: numbers([pre, post], from),
    },
    attributes: { rows, pre, post, decay: 0.9 },
  }));
}

function sixteenths(shape: number[], from: Source) {
  const count = shape.reduce((a, b) => a * b, 1);
  return f32(
    shape,
    from.floats(count, -16, 16).map((value) => Math.round(value) / 16),
  );
}
