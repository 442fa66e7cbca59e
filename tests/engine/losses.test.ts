import { describe, expect, it } from 'vitest';
import type { Graph } from '../../engine/graph/graph.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { formula } from '../../engine/ops/formula.ts';
import {
  classValues,
  rowCrossEntropy,
  rowMeans,
  rowSquaredError,
  vanRossumDistance,
} from '../../engine/ops/row-losses.ts';
import { firstSpike, lastStep, maxSteps, sumSteps } from '../../engine/ops/time-readouts.ts';
import { worstGradientError } from './gradient-check.ts';
import { randomSource } from './random.ts';

/** Central differences with steps of 1e-5 in float64. */
const CLOSE = 1e-7;

const classes = (graph: Graph) => graph.constant('classes', [4], Uint32Array.of(2, 0, 4, 1));
const numbers = (graph: Graph, shape: number[]) =>
  graph.constant('numbers', shape, randomSource(5).floats(shape.reduce((a, b) => a * b, 1)));

const ops: Record<string, (graph: Graph, x: Tensor) => Tensor> = {
  'the cross-entropy of each step': (graph, x) => rowCrossEntropy(graph, x, classes(graph)),
  'the squared error from the same values in every step': (graph, x) =>
    rowSquaredError(graph, x, numbers(graph, [1, 4, 5])),
  'the squared error from values of each step': (graph, x) =>
    rowSquaredError(graph, x, numbers(graph, [3, 4, 5])),
  'the squared error from values of classes': (graph, x) =>
    rowSquaredError(
      graph,
      x,
      classValues(graph, classes(graph), { width: 5, correct: 0.8, others: 0.2 }),
    ),
  'the van Rossum distance': (graph, x) =>
    vanRossumDistance(graph, x, numbers(graph, [3, 4, 5]), 2.5),
  'row means': rowMeans,
  'the sum over steps': sumSteps,
  'the last step': lastStep,
  'the maximum over steps': maxSteps,
  'the first spike of relaxed ones': firstSpike,
  'a formula': (graph, x) => formula(graph, 'max(0, a - 0.1) * exp(-a) + 0.5 * a * a', { a: x }),
  'a formula of a tensor and itself': (graph, x) => formula(graph, 'a * sin(b)', { a: x, b: x }),
};

describe('gradients equal finite differences', () => {
  it.each(Object.entries(ops))('for %s', async (_name, trace) => {
    const error = await worstGradientError({
      inputs: { x: [3, 4, 5] },
      trace: (graph, { x }) => trace(graph, x),
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it.each(Object.entries(ops))(
    'for %s of a tensor that goes past it, too',
    async (_name, trace) => {
      const error = await worstGradientError({
        inputs: { x: [3, 4, 5] },
        trace(graph, { x }) {
          const sums = sumSteps(graph, trace(graph, x));
          const own = rowMeans(graph, sumSteps(graph, formula(graph, 'x * x', { x })));
          return formula(graph, 'a * b', { a: rowMeans(graph, sums), b: own });
        },
      });
      expect(error).toBeLessThan(CLOSE);
    },
  );
});
