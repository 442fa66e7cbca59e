import { type CaseMakers, clock, f32, numbers } from './operands.ts';

/** Clipping and AdamW, with gradients that are no numbers. */
export const optimiserCases = {
  squared_norm: (count, from) => [
    {
      name: 'norm',
      kernel: 'squared_norm',
      operands: {
        gradients: numbers([count], from),
        partial: numbers([Math.ceil(count / 128)], from),
      },
      attributes: { count, chunk: 128 },
    },
  ],
  gradient_norm: (rows, from) =>
    [1e-3, 1e3, Number.POSITIVE_INFINITY, Number.NaN].map((first) => {
      const partial = from.floats(rows, 0, 1);
      partial[0] = first;
      return {
        name: `a partial sum of ${first}`,
        kernel: 'gradient_norm' as const,
        operands: {
          partial: f32([rows], partial),
          clock: clock(3, 2, 0),
          rates: f32([5], Float32Array.of(1e-3, 0.1, 0.5, 0.1, 0.05)),
          norms: numbers([3], from),
          scale: numbers([1], from),
        },
        attributes: { rows, slots: 3 },
      };
    }),
  adamw: (count, from) =>
    [0.5, -1].map((scale) => ({
      name: `scale ${scale}`,
      kernel: 'adamw',
      operands: {
        parameters: numbers([count], from),
        gradients: numbers([count], from),
        momentum: numbers([count], from),
        variance: numbers([count], from, 0, 1),
        scale: f32([1], Float32Array.of(scale)),
        rates: f32([5], Float32Array.of(1e-2, 0.1, 1, 0.271, 0.142)),
      },
      attributes: { count, decayed: Math.floor(count / 2), beta1: 0.9, beta2: 0.95, epsilon: 1e-8 },
    })),
  clipped_sum: (count, from) =>
    [0.25, -1].map((scale) => ({
      name: `scale ${scale}`,
      kernel: 'clipped_sum',
      operands: {
        addend: numbers([count], from),
        scale: f32([1], Float32Array.of(scale)),
        sum: numbers([count], from),
      },
      attributes: { count },
    })),
  private_gradient: (count, from) =>
    [0, 64].map((offset) => ({
      name: `${count} from ${offset} on`,
      kernel: 'private_gradient',
      operands: {
        clock: clock(9, 0, 5),
        sum: numbers([count + offset + 3], from),
        gradient: numbers([count], from),
      },
      attributes: { count, offset, stream: 77, deviation: 1.5, factor: 0.5 },
    })),
} satisfies Partial<CaseMakers>;
