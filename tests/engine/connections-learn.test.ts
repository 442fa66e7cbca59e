import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { conv2d, conv2dImage } from '../../engine/ops/conv2d.ts';
import { leakyMembrane } from '../../engine/ops/leaky.ts';
import { lif } from '../../engine/ops/lif.ts';
import { linear, spikeLinear } from '../../engine/ops/linear.ts';
import { averagePool2d, pool2dImage } from '../../engine/ops/pool2d.ts';
import { recurrentLif } from '../../engine/ops/recurrent-lif.ts';
import { accuracyOf, train, type Toy, weightOf } from './toy-training.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await openWasmBackend({ threads: 1 });
});
afterAll(() => backend.close());

describe('a stack of spiking convolutions', () => {
  const neuron = { steps: 5, beta: 0.8, threshold: 1, surrogate: 'atan' } as const;
  const image = { channels: 1, height: 8, width: 8 };
  const batch = 32;
  const specs = [
    weightOf('first', [8, 1, 3, 3], 9),
    weightOf('bias', [8], 9),
    weightOf('second', [8, 8, 3, 3], 72),
    weightOf('output', [8 * 2 * 2, 4], 32),
  ];

  /** Stripes in one of four directions at a random place, under noise: no pixel alone tells the class. */
  const stripes: Toy = {
    specs,
    inputShape: [1, batch, 64],
    batch,
    classes: 4,
    learningRate: 0.01,
    examples: (labels, from) =>
      Float32Array.from(
        [...labels].flatMap((label) => {
          const angle = (Math.PI * label) / 4;
          const phase = from.uniform(0, 2 * Math.PI);
          return Array.from({ length: 64 }, (_, i) => {
            const across = Math.floor(i / 8) * Math.cos(angle) - (i % 8) * Math.sin(angle);
            return (
              0.5 + 0.5 * Math.sin((2 * Math.PI * across) / 4 + phase) + from.uniform(-0.4, 0.4)
            );
          });
        }),
      ),
    trace(graph, inputs) {
      const [first, second] = [graph.parameter('first'), graph.parameter('second')];
      const bias = graph.parameter('bias');
      const early = lif(graph, conv2d(graph, inputs, first, { image, bias, padding: 1 }), neuron);
      const seen = conv2dImage(first, { image, padding: 1 });
      const strided = { image: seen, padding: 1, stride: 2 };
      const late = lif(graph, conv2d(graph, early, second, strided), neuron);
      const pool = { image: conv2dImage(second, strided), kernel: 2 };
      expect(pool2dImage(pool)).toEqual({ channels: 8, height: 2, width: 2 });
      const pooled = averagePool2d(graph, late, pool);
      return leakyMembrane(graph, linear(graph, pooled, graph.parameter('output')), neuron);
    },
  };

  it('learns to classify the direction of noisy stripes', async () => {
    const learned = await train(backend, stripes, 120);

    expect(learned.losses[0]).toBeGreaterThan(1);
    expect(accuracyOf(learned, 4)).toBeGreaterThan(0.9);
  });
});

describe('a recurrent spiking layer', () => {
  const steps = 12;
  const neuron = { steps, beta: 0.3, threshold: 1, surrogate: 'atan' } as const;
  const [batch, hidden, classes] = [32, 48, 4];

  /** Which of four inputs was on in the first two steps is to be known in the last ones. */
  const memory = (isRecurrent: boolean): Toy => ({
    specs: [
      weightOf('input', [classes, hidden], 0.25),
      weightOf('bias', [hidden], hidden),
      weightOf('recurrent', [hidden, hidden], hidden / 4),
      weightOf('output', [hidden, classes], hidden),
    ],
    inputShape: [steps, batch, classes],
    batch,
    classes,
    learningRate: 0.01,
    examples: (labels) =>
      Float32Array.from({ length: steps * batch * classes }, (_, i) => {
        const row = Math.floor(i / classes);
        return row < 2 * batch && i % classes === labels[row % batch] ? 1 : 0;
      }),
    trace(graph, inputs) {
      const bias = graph.parameter('bias');
      const current = linear(graph, inputs, graph.parameter('input'), { bias });
      const recurrent = graph.parameter('recurrent');
      const spikes = isRecurrent
        ? recurrentLif(graph, current, recurrent, neuron)
        : lif(graph, current, neuron);
      return spikeLinear(graph, spikes, graph.parameter('output'));
    },
  });

  it('learns to remember what its neurons alone forget', async () => {
    const alone = accuracyOf(await train(backend, memory(false), 100), classes, steps - 2);
    const together = accuracyOf(await train(backend, memory(true), 200), classes, steps - 2);

    expect(alone).toBeLessThan(0.6);
    expect(together).toBeGreaterThan(0.9);
  });
});
