import { describe, expect, it } from 'vitest';
import { Graph } from '../../engine/graph/graph.ts';
import {
  drawTopology,
  forEachLink,
  sourceOfLink,
  type SynapseShape,
  weightShape,
} from '../../engine/kernels/synapses.ts';
import { hebbianUpdate } from '../../engine/ops/event-scan.ts';
import { clockInput, packClock } from '../../engine/ops/step-inputs.ts';
import { noParameters, reference } from './play.ts';
import { randomSource } from './random.ts';

const shape: SynapseShape = { width: 37, fanIn: 5, experts: 2 };
const topology = drawTopology(shape, 3, 0);
/** The defaults of the family. */
const LEARNING_RATE = 0.001;
const STEPS = 400;

/** The gain of each synapse over the steps, by the byte of its weight. */
async function gainsOf(means: Float32Array): Promise<Int32Array> {
  const graph = new Graph('hebbian', noParameters);
  const weight = graph.local('weight', 'u32', weightShape(shape));
  const clock = clockInput(graph);
  hebbianUpdate(
    graph,
    { shape, weight, topology },
    {
      means: graph.constant('means', [2, 3, shape.width], means),
      scale: graph.constant('scale', [1], Float32Array.of(1)),
      clock,
      presynaptic: 'input',
      learningRate: LEARNING_RATE,
      stream: 7,
    },
  );
  const program = graph.build();
  const player = await reference.load(noParameters, [program]);
  const gains = new Int32Array(4 * weightShape(shape)[0] * weightShape(shape)[1]);
  for (let step = 0; step < STEPS; step++) {
    player.write(weight, new Uint32Array(gains.length / 4));
    player.write(clock, packClock({ step, slot: 0, seed: [5, 6] }));
    player.play(program);
    const words = (await player.read(weight)) as Uint32Array;
    const moved = new Int8Array(words.buffer, words.byteOffset, words.byteLength);
    for (const [place, move] of moved.entries()) gains[place]! += move;
  }
  player.close();
  return gains;
}

describe('the Hebbian update of INT8 synapses', () => {
  it('moves them at eta .001 by 127 eta pre post on average, though never by a whole step', async () => {
    const means = randomSource(2).floats(2 * 3 * shape.width, -1, 1);

    const gains = await gainsOf(means);

    // How many standard deviations of so many draws each gain is away from what is expected.
    const scores: number[] = [];
    forEachLink(shape, (link) => {
      const { expert, neuron, place } = link;
      const pre = means[expert * 3 * shape.width + sourceOfLink(shape, topology, link)]!;
      const post = means[(expert * 3 + 2) * shape.width + neuron]!;
      const move = 127 * LEARNING_RATE * pre * post;
      const chance = Math.abs(move);
      const deviation = Math.sqrt(STEPS * chance * (1 - chance));
      expect(chance).toBeLessThan(0.5);
      if (deviation > 1) scores.push((gains[place]! - STEPS * move) / deviation);
    });
    const mean = (values: number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
    expect(scores.length).toBeGreaterThan(200);
    expect(Math.abs(mean(scores))).toBeLessThan(4 / Math.sqrt(scores.length));
    // Draws that depended on each other would spread more, or less.
    expect(Math.abs(mean(scores.map((z) => z * z)) - 1)).toBeLessThan(0.4);
  });
});
