import { kernels } from '../../engine/kernels/kernels.ts';
import { describe, expect, it } from 'vitest';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { crossEntropy } from '../../engine/ops/cross-entropy.ts';
import { dropout } from '../../engine/ops/dropout.ts';
import { linear } from '../../engine/ops/linear.ts';
import { joinSequences, sliceSequences } from '../../engine/ops/sequence-rows.ts';
import { clockInput, packClock } from '../../engine/ops/step-inputs.ts';
import { worstGradientError } from './gradient-check.ts';
import { noParameters, reference } from './play.ts';
import { randomSource } from './random.ts';

/** As in gradients.test.ts. */
const CLOSE = 1e-7;

/** Runs an op on `[steps, rows, 1]` numbers. */
async function played(shapes: number[][], trace: (graph: Graph, inputs: Tensor[]) => Tensor) {
  const graph = new Graph('rows', noParameters);
  let next = 1;
  const inputs = shapes.map((shape, i) => {
    const values = Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => next++);
    return graph.constant(`input ${i}`, shape, values);
  });
  const output = trace(graph, inputs);
  const kept = graph.local('kept', 'f32', output.shape);
  graph.call(
    kernels.copy,
    { source: output, target: kept },
    { count: kept.shape.reduce((a, b) => a * b) },
  );
  const program = graph.build();
  const player = await reference.load(noParameters, [program]);
  player.play(program);
  return [...player.values(kept)];
}

describe('sequences', () => {
  it('are joined one behind the other, a part of one step in every step', async () => {
    // Two steps of two sequences of two rows, and one step of two sequences of one.
    const joined = await played(
      [
        [2, 4, 1],
        [1, 2, 1],
      ],
      (graph, [first, second]) =>
        joinSequences(
          graph,
          [
            { input: first!, rows: 2 },
            { input: second!, rows: 1 },
          ],
          2,
        ),
    );

    expect(joined).toEqual([1, 2, 9, 3, 4, 10, 5, 6, 9, 7, 8, 10]);
  });

  it('are sliced each on its own', async () => {
    const sliced = await played([[1, 6, 1]], (graph, [input]) =>
      sliceSequences(graph, { input: input!, rows: 3 }, { first: 1, count: 2 }),
    );

    expect(sliced).toEqual([2, 3, 5, 6]);
  });

  it('have the gradient of finite differences, joined, sliced and read once more', async () => {
    const error = await worstGradientError({
      inputs: { first: [3, 4, 2], second: [1, 6, 2], weight: [2, 5] },
      trace(graph, { first, second, weight }) {
        const parts = [
          { input: first, rows: 2 },
          { input: second, rows: 3 },
        ];
        const joined = joinSequences(graph, parts, 3);
        const tail = sliceSequences(graph, { input: joined, rows: 5 }, { first: 1, count: 3 });
        const read = linear(graph, joined, weight);
        const same = sliceSequences(graph, { input: read, rows: 5 }, { first: 2, count: 3 });
        return linear(graph, tail, weight, { residual: same });
      },
    });
    expect(error).toBeLessThan(CLOSE);
  });

  it('that do not fit together are refused', async () => {
    const graph = new Graph('rows', noParameters);
    const first = graph.local('first', 'f32', [2, 4, 3]);
    const second = graph.local('second', 'f32', [3, 4, 3]);

    expect(() =>
      joinSequences(
        graph,
        [
          { input: first, rows: 2 },
          { input: second, rows: 2 },
        ],
        2,
      ),
    ).toThrow(/parts of \[2 x 2 x 3, 3 x 2 x 3\].* 1 step or 2/);
    expect(() => sliceSequences(graph, { input: first, rows: 2 }, { first: 1, count: 2 })).toThrow(
      /2 rows from 1 on are not in sequences of 2/,
    );
  });
});

describe('dropout', () => {
  it('leaves a share of the numbers out and keeps their mean', async () => {
    const share = 0.3;
    const values = await played([], (graph) => {
      const ones = graph.constant('ones', [1, 4000, 1], new Float32Array(4000).fill(1));
      return dropout(graph, ones, { share, stream: 1, clock: clockInput(graph) });
    });

    expect(new Set(values)).toEqual(new Set([0, 1 / (1 - share)]));
    expect(values.reduce((a, b) => a + b, 0) / 4000).toBeCloseTo(1, 1);
  });

  it('has the gradient of finite differences, of a tensor that goes past it too', async () => {
    const error = await worstGradientError({
      inputs: { input: [2, 5, 7], weight: [7, 7] },
      trace(graph, { input, weight }) {
        const dropped = dropout(graph, input, { share: 0.4, stream: 2, clock: clockInput(graph) });
        return linear(graph, dropped, weight, { residual: input });
      },
    });
    expect(error).toBeLessThan(CLOSE);
  });
});

describe('weighted cross-entropy', () => {
  async function lossesAndGradient(weights: readonly number[] | undefined) {
    const layout = layOutParameters([
      { name: 'logits', shape: [1, 3, 5], initial: { kind: 'constant', value: 0 }, decayed: false },
    ]);
    const graph = new Graph('loss', layout);
    const history = graph.local('history', 'f32', [1]);
    const clock = clockInput(graph);
    const given = weights && graph.constant('weights', [3], Float32Array.from(weights));
    const targets = graph.constant('targets', [3], Uint32Array.of(4, 0, 2));
    const loss = crossEntropy(graph, graph.parameter('logits'), targets, {
      history,
      clock,
      ...(given && { weights: given }),
    });
    differentiate(graph, loss);
    const program = graph.build();
    const player = await reference.load(layout, [program]);
    const { value, gradient } = layout.get('logits');
    player.values(value).set(randomSource(4).floats(15, -3, 3));
    player.write(clock, packClock({ step: 0, slot: 0, seed: [0, 0] }));
    player.play(program);
    return { loss: player.values(history)[0]!, gradient: [...player.values(gradient)] };
  }

  it('neither counts nor learns from a row of weight 0', async () => {
    const plain = await lossesAndGradient(undefined);
    const all = await lossesAndGradient([1, 1, 1]);
    const masked = await lossesAndGradient([1.5, 0, 1.5]);
    const alone = await lossesAndGradient([0, 3, 0]);

    expect(all).toEqual(plain);
    expect(masked.gradient.slice(5, 10).every((slope) => slope === 0)).toBe(true);
    // The mean of three rows is two thirds that of the first and third, and one third of the second.
    expect((2 * masked.loss + alone.loss) / 3).toBeCloseTo(plain.loss, 12);
    plain.gradient.forEach((slope, i) => {
      expect((2 * masked.gradient[i]! + alone.gradient[i]!) / 3).toBeCloseTo(slope, 12);
    });
  });
});
