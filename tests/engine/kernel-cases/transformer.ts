import { ACTIVATIONS } from '../../../engine/kernels/dense.ts';
import { COSTLY_ACTIVATIONS } from '../../../engine/kernels/slopes.ts';
import type { Source } from '../random.ts';
import { both, type CaseMakers, f32, numbers } from './operands.ts';

/** Softmax attention on parts of wider rows, and what else a float transformer needs. */
export const transformerCases = {
  position_forward: (size, from) =>
    [
      { sequence: size, width: 3 },
      { sequence: 5, width: size },
    ].map(({ sequence, width }) => ({
      name: `${sequence} tokens of ${width}`,
      kernel: 'position_forward',
      operands: {
        input: numbers([3 * sequence, width], from),
        table: numbers([sequence, width], from),
        output: numbers([3 * sequence, width], from),
      },
      attributes: { rows: 3 * sequence, width, sequence },
    })),
  // From where the gate of GELU is shut to where it is open: e^x leaves float32 on both sides.
  activation_forward: (count, from) =>
    ACTIVATIONS.map((activation) => ({
      name: activation,
      kernel: 'activation_forward',
      operands: { input: numbers([count], from, -20, 20), output: numbers([count], from) },
      attributes: { count, activation },
    })),
  activation_backward: (count, from) =>
    ACTIVATIONS.flatMap((activation) =>
      both.map((accumulate) => ({
        name: `${activation}, accumulate ${accumulate}`,
        kernel: 'activation_backward',
        operands: {
          input: numbers([count], from, -20, 20),
          gradient: numbers([count], from),
          inputGradient: numbers([count], from),
        },
        attributes: { count, activation, accumulate },
      })),
    ),
  activation_with_slope: (count, from) =>
    COSTLY_ACTIVATIONS.map((activation) => ({
      name: activation,
      kernel: 'activation_with_slope',
      operands: {
        input: numbers([count], from, -20, 20),
        output: numbers([count], from),
        slope: numbers([count], from),
      },
      attributes: { count, activation },
    })),
  slope_backward: (count, from) =>
    both.map((accumulate) => ({
      name: `accumulate ${accumulate}`,
      kernel: 'slope_backward',
      operands: {
        slope: numbers([count], from),
        gradient: numbers([count], from),
        inputGradient: numbers([count], from),
      },
      attributes: { count, accumulate },
    })),
  attention_scores: (size, from) =>
    shapes(size).flatMap((axes) =>
      both.map((isBeside) => {
        const { batch, sequence, heads, headWidth } = axes;
        const [rows, width] = [batch * sequence, heads * headWidth];
        return {
          name: `${JSON.stringify(axes)}, keys beside the queries ${isBeside}`,
          kernel: 'attention_scores' as const,
          operands: {
            queries: numbers([rows, 3 * width], from),
            ...(!isBeside && { keys: numbers([rows, width], from) }),
            scores: numbers([batch, heads, sequence, sequence], from),
          },
          attributes: {
            ...axes,
            queryStride: 3 * width,
            queryOffset: 2 * width,
            keyStride: isBeside ? 3 * width : width,
            keyOffset: isBeside ? width : 0,
            factor: 0.25,
          },
        };
      }),
    ),
  causal_softmax_forward: (size, from) =>
    softmaxShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'causal_softmax_forward',
      operands: { weights: numbers([rows, width], from, -9, 9) },
      attributes: { rows, width },
    })),
  causal_softmax_backward: (size, from) =>
    softmaxShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'causal_softmax_backward',
      operands: {
        weights: numbers([rows, width], from, 0, 1),
        scoreGradient: numbers([rows, width], from),
      },
      attributes: { rows, width },
    })),
  attention_values: (size, from) =>
    shapes(size).flatMap((axes) =>
      both.map((transpose) => {
        const { batch, sequence, heads, headWidth } = axes;
        const [rows, width] = [batch * sequence, heads * headWidth];
        return {
          name: `${JSON.stringify(axes)}, transpose ${transpose}`,
          kernel: 'attention_values' as const,
          operands: {
            weights: causal([batch * heads, sequence], from),
            values: numbers([rows, 2 * width], from),
            output: numbers([rows, 3 * width], from),
          },
          attributes: {
            ...axes,
            valueStride: 2 * width,
            valueOffset: width,
            outputStride: 3 * width,
            outputOffset: width,
            factor: 0.5,
            transpose,
          },
        };
      }),
    ),
} satisfies Partial<CaseMakers>;

/** Whole quads and ragged ones, sequences of one token and of many, heads of one feature and of many. */
function shapes(size: number) {
  return [
    { batch: 3, sequence: Math.min(size, 12), heads: 2, headWidth: 8 },
    { batch: 1, sequence: Math.min(size, 65), heads: 3, headWidth: 5 },
    { batch: 2, sequence: 6, heads: 2, headWidth: Math.min(size, 65) },
    { batch: 1, sequence: 16, heads: 2, headWidth: Math.min(size, 20) },
  ];
}

function softmaxShapes(size: number) {
  const width = Math.min(size, 65);
  return [
    { rows: 2 * width, width },
    { rows: 15 * size, width: 5 },
  ];
}

/** Weights that are zero after the diagonal, `[matrices * sequence, sequence]`. */
function causal([matrices, sequence]: readonly [number, number], from: Source) {
  const data = from.floats(matrices * sequence * sequence);
  for (let i = 0; i < data.length; i++) {
    const [query, key] = [Math.floor(i / sequence) % sequence, i % sequence];
    if (key > query) data[i] = 0;
  }
  return f32([matrices * sequence, sequence], data);
}
