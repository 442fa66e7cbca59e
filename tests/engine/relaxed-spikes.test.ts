import { describe, expect, it } from 'vitest';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { keep } from '../../engine/ops/keep.ts';
import { lif } from '../../engine/ops/lif.ts';
import { relaxedLif } from '../../engine/ops/relaxed-lif.ts';
import { decayTable, spikeAttention } from '../../engine/ops/spike-attention.ts';
import { relaxedAttention } from '../../engine/ops/relaxed-attention.ts';
import { bitAt } from '../../engine/backends/reference/views.ts';
import { noParameters, reference } from './play.ts';
import { randomSource } from './random.ts';
import { smoothSpike, worstDifference } from './smooth-spikes.ts';
import './matchers.ts';

const ROWS = 2;
const WIDTH = 5;
const NEURONS = ROWS * WIDTH;
const neuron = { beta: 0.8, threshold: 1, surrogate: 'atan' } as const;

interface Layer {
  readonly steps: number;
  readonly currentSteps: number;
  readonly hardness: number;
}

/** Spikes of a relaxed layer and the gradient of its current, where that of the spikes is `weights`. */
async function play(
  { steps, currentSteps, hardness }: Layer,
  current: Float32Array,
  weights: Float32Array,
) {
  const shape = [currentSteps, ROWS, WIDTH];
  const layout = layOutParameters([
    { name: 'current', shape, initial: { kind: 'constant', value: 0 }, decayed: false },
  ]);
  const graph = new Graph('relaxed', layout);
  const told = graph.constant('hardness', [1], Float32Array.of(hardness));
  const seed = graph.local('weights', 'f32', [steps, ROWS, WIDTH]);
  const layer = relaxedLif(graph, graph.parameter('current'), {
    ...neuron,
    steps,
    hardness: told,
  });
  const spikes = keep(graph, 'kept', layer);
  differentiate(graph, layer, seed);
  const program = graph.build();
  const player = await reference.load(layout, [program]);
  const { value, gradient } = layout.get('current');
  player.write(value, current);
  player.write(seed, weights);
  player.play(program);
  return { spikes: player.values(spikes).slice(), gradient: player.values(gradient).slice() };
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-4 * x));

describe('relaxed spikes', () => {
  it('have the derivative of the same neurons with their resets held still', async () => {
    for (const layer of [
      { steps: 4, currentSteps: 4, hardness: 0 },
      { steps: 3, currentSteps: 1, hardness: 0.6 },
    ]) {
      const { steps, currentSteps, hardness } = layer;
      const from = randomSource(steps);
      const current = from.floats(currentSteps * NEURONS, -0.4, 1.6);
      const weights = from.floats(steps * NEURONS);
      const { spikes, gradient } = await play(layer, current, weights);

      const smooth = Float64Array.from(current);
      const worst = worstDifference(smooth, gradient, () => {
        let loss = 0;
        for (let i = 0; i < NEURONS; i++) {
          let u = 0;
          for (let t = 0; t < steps; t++) {
            const reset = t === 0 ? 0 : spikes[(t - 1) * NEURONS + i]! * neuron.threshold;
            u = neuron.beta * u + smooth[currentSteps === 1 ? i : t * NEURONS + i]! - reset;
            const x = u - neuron.threshold;
            const spike = (1 - hardness) * sigmoid(x) + hardness * smoothSpike.atan(x);
            loss += weights[t * NEURONS + i]! * spike;
          }
        }
        return loss;
      });

      expect(worst).toBeLessThan(1e-6);
    }
  });

  it('are those of LIF, gradient and all, at a hardness of 1', async () => {
    const steps = 6;
    const from = randomSource(7);
    const current = from.floats(steps * NEURONS, -0.4, 1.6);
    const weights = from.floats(steps * NEURONS);
    const soft = await play({ steps, currentSteps: steps, hardness: 1 }, current, weights);

    const shape = [steps, ROWS, WIDTH];
    const layout = layOutParameters([
      { name: 'current', shape, initial: { kind: 'constant', value: 0 }, decayed: false },
    ]);
    const graph = new Graph('hard', layout);
    const seed = graph.local('weights', 'f32', shape);
    const layer = lif(graph, graph.parameter('current'), { ...neuron, steps });
    const kept = keep(graph, 'kept', layer);
    differentiate(graph, layer, seed);
    const program = graph.build();
    const player = await reference.load(layout, [program]);
    const { value, gradient } = layout.get('current');
    player.write(value, current);
    player.write(seed, weights);
    player.play(program);
    const words = (await player.read(kept)) as Uint32Array;
    const hard = soft.spikes.map((_, i) => bitAt(words, 1, Math.floor(i / WIDTH), i % WIDTH));

    expect(Array.from(soft.spikes)).toEqual(Array.from(hard));
    expect(soft.spikes).toContain(1);
    expect([...soft.gradient]).toMatchNumbers([...player.values(gradient)], 1e-12);
  });

  it('attend as spikes do where they are 0 or 1', async () => {
    const [sequence, heads, width] = [7, 2, 6];
    const words = randomSource(5).spikes(2 * sequence, 3 * width, 0.4);
    const graph = new Graph('attention', noParameters);
    const decay = graph.constant('decay', [heads, sequence], decayTable([2, 6], 3, sequence));
    const bits = graph.local('bits', 'bits', [2, sequence, 3 * width]);
    const floats = graph.local('floats', 'f32', [2, sequence, 3 * width]);
    const options = { heads, sequence, decay };
    const ofSpikes = keep(graph, 'of spikes', spikeAttention(graph, bits, options));
    const ofNumbers = keep(graph, 'of numbers', relaxedAttention(graph, floats, options));
    const program = graph.build();
    const player = await reference.load(noParameters, [program]);
    player.write(bits, words);
    const numbers = player.values(floats);
    numbers.forEach((_, i) => {
      numbers[i] = bitAt(words, 1, Math.floor(i / (3 * width)), i % (3 * width));
    });
    player.play(program);

    const expected = player.values(ofSpikes);
    expect(Math.max(...expected)).toBeGreaterThan(1);
    player.values(ofNumbers).forEach((x, i) => expect(x).toBeCloseTo(expected[i]!, 10));
  });
});
