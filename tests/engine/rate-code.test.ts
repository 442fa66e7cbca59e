import { describe, expect, it } from 'vitest';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { keep } from '../../engine/ops/keep.ts';
import { rateCode } from '../../engine/ops/rate-code.ts';
import { reference } from './play.ts';

/** The values decoded from the rates of a row of numbers, and the number of spikes. */
async function decoded(numbers: readonly number[], ranges: readonly number[], steps: number) {
  const width = numbers.length;
  const layout = layOutParameters([]);
  const graph = new Graph('rates', layout);
  const input = graph.constant('input', [1, 1, width], Float32Array.from(numbers));
  const range = graph.constant('range', [width], Float32Array.from(ranges));
  const spikes = keep(graph, 'spikes', rateCode(graph, input, { steps, range }));
  const program = graph.build();
  const player = await reference.load(layout, [program]);
  player.play(program);
  // One word for each step holds them all.
  const words = (await player.read(spikes)) as Uint32Array;
  const countOf = (neuron: number) => words.filter((word) => (word >>> neuron) & 1).length;
  const values = numbers.map((_, c) => (ranges[c]! * (countOf(c) - countOf(width + c))) / steps);
  const total = Array.from({ length: 2 * width }, (_, n) => countOf(n));
  return { values, counts: total };
}

describe('a rate code', () => {
  it.each([1, 4, 7, 32])('rounds to the nearest rate of %i steps, either sign', async (steps) => {
    const numbers = [0.9, -0.9, 0.3, -0.04, 1.7, -2, 0.01];
    const ranges = [1, 1, 0.5, 1, 2, 2, 1];
    const { values } = await decoded(numbers, ranges, steps);

    for (const [i, value] of values.entries()) {
      expect(Math.abs(value - numbers[i]!), `${numbers[i]}`).toBeLessThanOrEqual(
        ranges[i]! / (2 * steps) + 1e-6,
      );
    }
  });

  it('cuts off what is beyond its range, and is silent at zero', async () => {
    const { values, counts } = await decoded([5, -5, 0], [1, 2, 1], 8);

    expect(values).toEqual([1, -2, 0]);
    expect(counts).toEqual([8, 0, 0, 0, 8, 0]);
  });

  it('refuses no steps at all', async () => {
    await expect(decoded([1], [1], 0)).rejects.toThrow('steps is 0: expected a whole number');
  });
});
