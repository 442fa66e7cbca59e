import { describe, expect, it } from 'vitest';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { wordCount } from '../../engine/graph/tensor.ts';
import { keep } from '../../engine/ops/keep.ts';
import { lif } from '../../engine/ops/lif.ts';
import { delaySteps } from '../../engine/ops/delays.ts';
import { recurrentLif } from '../../engine/ops/recurrent-lif.ts';
import { noParameters, reference } from './play.ts';
import { randomSource } from './random.ts';

const STEP = 1e-5;
const neuron = { steps: 5, beta: 0.8, threshold: 1, surrogate: 'atan' } as const;
const [ROWS, WIDTH] = [2, 7];
const initial = { kind: 'constant', value: 0 } as const;

/** The layer with its loss: random weights times its spikes. */
async function layerOf(currentSteps: number) {
  const { steps } = neuron;
  const layout = layOutParameters([
    { name: 'current', shape: [currentSteps, ROWS, WIDTH], initial, decayed: false },
    { name: 'weight', shape: [WIDTH, WIDTH], initial, decayed: false },
    { name: 'bias', shape: [WIDTH], initial, decayed: false },
  ]);
  const graph = new Graph('layer', layout);
  const [current, weight, bias] = ['current', 'weight', 'bias'].map((name) =>
    graph.parameter(name),
  );
  const seed = graph.local('seed', 'f32', [steps, ROWS, WIDTH]);
  differentiate(graph, recurrentLif(graph, current!, weight!, { ...neuron, bias: bias! }), seed);
  const program = graph.build();
  const player = await reference.load(layout, [program]);
  const from = randomSource(currentSteps);
  const values = Object.fromEntries(
    layout.parameters.map(({ spec, value }) => {
      const numbers = from.floats(wordCount(value), -0.6, spec.name === 'current' ? 1.6 : 0.6);
      player.write(value, numbers);
      return [spec.name, Float64Array.from(numbers)];
    }),
  );
  const factors = from.floats(wordCount(seed));
  player.write(seed, factors);
  player.play(program);
  const gradients = Object.fromEntries(
    layout.parameters.map(({ spec, gradient }) => [spec.name, player.values(gradient).slice()]),
  );
  return { values, gradients, factors };
}

/**
 * The loss of the same layer with smooth spikes: what they were at the start plus the change of the
 * surrogate's integral. Resets stay as they were.
 */
function smoothLoss(values: Record<string, Float64Array>, factors: Float32Array) {
  const integral = (x: number) => Math.atan(Math.PI * x) / Math.PI;
  const [current, weight, bias] = [values['current']!, values['weight']!, values['bias']!];
  const first: { fired: number; smooth: number }[] = [];
  const layer = ROWS * WIDTH;
  return () => {
    const isFirst = first.length === 0;
    const spikes = new Float64Array(neuron.steps * layer);
    const membranes = new Float64Array(neuron.steps * layer);
    let loss = 0;
    for (let i = 0; i < spikes.length; i++) {
      const n = i % WIDTH;
      let u = current[i % current.length]! + bias[n]!;
      if (i >= layer) {
        u += neuron.beta * membranes[i - layer]! - first[i - layer]!.fired * neuron.threshold;
        for (let k = 0; k < WIDTH; k++) u += weight[k * WIDTH + n]! * spikes[i - layer - n + k]!;
      }
      membranes[i] = u;
      const smooth = integral(u - neuron.threshold);
      if (isFirst) first.push({ fired: Number(u > neuron.threshold), smooth });
      spikes[i] = first[i]!.fired + smooth - first[i]!.smooth;
      loss += factors[i]! * spikes[i]!;
    }
    return loss;
  };
}

describe('a recurrent spiking layer', () => {
  it.each([neuron.steps, 1])(
    'has the gradients of its smooth counterpart, from a current of %i steps',
    async (currentSteps) => {
      const { values, gradients, factors } = await layerOf(currentSteps);
      const lossOf = smoothLoss(values, factors);
      lossOf();

      let worst = 0;
      for (const [name, numbers] of Object.entries(values)) {
        for (let i = 0; i < numbers.length; i++) {
          const centre = numbers[i]!;
          numbers[i] = centre + STEP;
          const above = lossOf();
          numbers[i] = centre - STEP;
          const below = lossOf();
          numbers[i] = centre;
          const error = Math.abs(gradients[name]![i]! - (above - below) / (2 * STEP));
          if (!(error <= worst)) worst = error;
        }
      }

      expect(gradients['weight']!.some((g) => Math.abs(g) > 0.01)).toBe(true);
      expect(worst).toBeLessThan(1e-6);
    },
  );

  it('without weights is the same as one without recurrent input', async () => {
    const graph = new Graph('deaf', noParameters);
    const current = graph.local('current', 'f32', [6, 3, 70]);
    const weight = graph.local('weight', 'f32', [70, 70]);
    const options = { ...neuron, steps: 6 };
    const deaf = keep(graph, 'deaf', recurrentLif(graph, current, weight, options));
    const plain = keep(graph, 'plain', lif(graph, current, options));
    const program = graph.build();
    const player = await reference.load(noParameters, [program]);
    player.write(current, randomSource(4).floats(6 * 3 * 70, -0.5, 1.5));
    player.play(program);

    const spikes = await player.read(plain);
    expect(spikes.some((word) => word !== 0)).toBe(true);
    expect(await player.read(deaf)).toEqual(spikes);
  });

  it('passes a single spike on from neuron to neuron, one a step', async () => {
    const width = 5;
    const graph = new Graph('ring', noParameters);
    const current = graph.local('current', 'f32', [8, 1, width]);
    const weight = graph.local('weight', 'f32', [width, width]);
    const options = { steps: 8, beta: 0, threshold: 1, surrogate: 'atan' } as const;
    const spikes = keep(graph, 'spikes', recurrentLif(graph, current, weight, options));
    const program = graph.build();
    const player = await reference.load(noParameters, [program]);
    player.write(
      current,
      Float32Array.from({ length: 8 * width }, (_, i) => (i === 0 ? 2 : 0)),
    );
    const ring = Float32Array.from({ length: width ** 2 }, (_, i) =>
      i % width === (Math.floor(i / width) + 1) % width ? 2.5 : 0,
    );
    player.write(weight, ring);
    player.play(program);

    expect([...(await player.read(spikes))]).toEqual([1, 2, 4, 8, 16, 1, 2, 4]);
  });

  it('refuses a weight of another shape, and a delay beyond the last step', () => {
    const graph = new Graph('refused', noParameters);
    const current = graph.local('current', 'f32', [5, 1, 4]);
    const weight = graph.local('weight', 'f32', [4, 5]);
    const spikes = graph.local('spikes', 'bits', [5, 1, 4]);

    expect(() => recurrentLif(graph, current, weight, neuron)).toThrow(
      'expected f32[4, 4], got weight f32[4, 5]',
    );
    expect(() => delaySteps(graph, spikes, 6)).toThrow('the delay is 6: expected');
  });
});
