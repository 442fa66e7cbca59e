import type { Surrogate } from '../../engine/kernels/neurons.ts';
import { describe, expect, it } from 'vitest';
import { surrogates } from '../../engine/backends/reference/neuron-kernels.ts';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { lif, type LifOptions } from '../../engine/ops/lif.ts';
import { decayTable } from '../../engine/ops/spike-attention.ts';
import { reference, runKernel } from './play.ts';
import { randomSource } from './random.ts';
import { smoothSpike, worstDifference } from './smooth-spikes.ts';

/*
 * Spikes are steps, so the forward pass itself has no useful differences. What the gradients claim to
 * be is the derivative of a smooth function: for a neuron, the one whose spikes are the surrogate's
 * integral while its resets stay where they were; for what spikes feed, the same sums over real numbers.
 * Those functions are written down here once more and differentiated numerically.
 */
const CLOSE = 1e-6;

describe.each(Object.keys(surrogates) as Surrogate[])(
  'a LIF neuron with surrogate %s',
  (surrogate) => {
    it.each([
      [6, 6],
      [5, 1],
    ])('over %i steps from a current of %i', async (steps, currentSteps) => {
      const [rows, width, beta, threshold] = [2, 9, 0.8, 1];
      const neurons = rows * width;
      const from = randomSource(steps);
      const current = from.floats(currentSteps * neurons, -0.4, 1.6);
      const weights = from.floats(steps * neurons);
      const attributes = { steps, rows, width, currentSteps, beta, threshold };
      const traced = await tracedGradient(current, weights, { ...attributes, surrogate });

      const smooth = Float64Array.from(current);
      const resets = resetsOf(smooth, attributes);
      const worst = worstDifference(smooth, traced, () => {
        let loss = 0;
        for (let i = 0; i < neurons; i++) {
          let u = 0;
          for (let t = 0; t < steps; t++) {
            u =
              beta * u +
              smooth[currentSteps === 1 ? i : t * neurons + i]! -
              resets[t * neurons + i]!;
            loss += weights[t * neurons + i]! * smoothSpike[surrogate](u - threshold);
          }
        }
        return loss;
      });

      // The fast sigmoid bends sharply at 0, where a difference sees its curvature.
      expect(worst).toBeLessThan(surrogate === 'fast_sigmoid' ? 1e-4 : CLOSE);
    });
  },
);

describe('spiking attention', () => {
  it('has the derivative of the same sums over real numbers', async () => {
    const attributes = { steps: 2, batch: 2, sequence: 5, heads: 2, headWidth: 3 };
    const width = attributes.heads * attributes.headWidth;
    const rows = attributes.steps * attributes.batch * attributes.sequence;
    const from = randomSource(3);
    const packed = from.spikes(rows, 3 * width, 0.5);
    const gradient = {
      dtype: 'f32',
      shape: [rows, width],
      data: from.floats(rows * width),
    } as const;
    const decay = { dtype: 'f32', shape: [2, 5], data: decayTable([2, 7], 3, 5) } as const;
    const qkv = { dtype: 'bits', shape: [rows, 3 * width], data: packed } as const;
    const scoreShape = [attributes.steps, attributes.batch, attributes.heads, 5, 5];
    const { scoreGradient } = await runKernel(reference, {
      kernel: 'spike_attention_backward_scores',
      operands: {
        qkv,
        decay,
        gradient,
        scoreGradient: { dtype: 'f32', shape: scoreShape, data: new Float32Array(200) },
      },
      attributes,
    });
    const { qkvGradient } = await runKernel(reference, {
      kernel: 'spike_attention_backward',
      operands: {
        qkv,
        decay,
        gradient,
        scoreGradient: { dtype: 'f32', shape: scoreShape, data: scoreGradient! },
        qkvGradient: {
          dtype: 'f32',
          shape: [rows, 3 * width],
          data: new Float32Array(rows * 3 * width),
        },
      },
      attributes,
    });

    const real = Float64Array.from({ length: rows * 3 * width }, (_, i) => {
      const row = Math.floor(i / (3 * width));
      return (packed[row]! >>> (i % (3 * width))) & 1;
    });
    const worst = worstDifference(real, qkvGradient!, () => {
      const q = (row: number, part: number, f: number) => real[row * 3 * width + part * width + f]!;
      let loss = 0;
      for (let row = 0; row < rows; row++) {
        const i = row % attributes.sequence;
        for (let h = 0; h < attributes.heads; h++) {
          for (let j = 0; j <= i; j++) {
            let score = 0;
            for (let d = 0; d < 3; d++)
              score += q(row, 0, h * 3 + d) * q(row - i + j, 1, h * 3 + d);
            const weight = score * decay.data[h * 5 + i - j]!;
            for (let d = 0; d < 3; d++) {
              loss +=
                gradient.data[row * width + h * 3 + d]! * weight * q(row - i + j, 2, h * 3 + d);
            }
          }
        }
      }
      return loss;
    });

    expect(worst).toBeLessThan(CLOSE);
  });

  it('has, from a carried state, the differences that single spikes of queries make', async () => {
    const attributes = { steps: 2, batch: 2, sequence: 3, heads: 2, headWidth: 3 };
    const [rows, width] = [12, 6];
    const from = randomSource(5);
    const numbers = (...shape: number[]) =>
      ({ dtype: 'f32', shape, data: from.floats(shape.reduce((a, b) => a * b)) }) as const;
    const zeros = (...shape: number[]) =>
      ({ dtype: 'f32', shape, data: new Float32Array(shape.reduce((a, b) => a * b)) }) as const;
    const spikes = from.spikes(rows, 3 * width, 0.5);
    const decay = { dtype: 'f32', shape: [2, 4], data: decayTable([2, 7], 3, 4) } as const;
    const carried = { state: numbers(2, 2, 2, 3, 3), decay };
    const gradient = numbers(rows, width);
    const { qkvGradient } = await runKernel(reference, {
      kernel: 'carried_attention_backward',
      operands: { ...carried, gradient, qkvGradient: zeros(rows, 3 * width) },
      attributes,
    });
    const lossOf = async (packed: Uint32Array) => {
      const qkv = { dtype: 'bits', shape: [rows, 3 * width], data: packed } as const;
      const { output } = await runKernel(reference, {
        kernel: 'carried_attention_forward',
        operands: { qkv, ...carried, output: zeros(rows, width) },
        attributes,
      });
      return gradient.data.reduce((sum, weight, i) => sum + weight * output![i]!, 0);
    };

    // The sums are linear in each spike, so that a whole one makes the difference of a small one.
    let worst = 0;
    for (let i = 0; i < rows * 3 * width; i++) {
      const [row, bit] = [Math.floor(i / (3 * width)), 1 << (i % (3 * width))];
      const set = (word: number) => lossOf(spikes.with(row, word));
      const expected = (await set(spikes[row]! | bit)) - (await set(spikes[row]! & ~bit));
      worst = Math.max(worst, Math.abs(qkvGradient![i]! - expected));
    }
    expect(worst).toBeLessThan(CLOSE);
  });
});

/** The gradient that `lif` hands to a current when that of its spikes is `weights`. */
async function tracedGradient(
  current: Float32Array,
  weights: Float32Array,
  {
    rows,
    width,
    currentSteps,
    ...options
  }: LifOptions & { rows: number; width: number; currentSteps: number },
): Promise<Float64Array> {
  const layout = layOutParameters([
    {
      name: 'current',
      shape: [currentSteps, rows, width],
      initial: { kind: 'constant', value: 0 },
      decayed: false,
    },
  ]);
  const graph = new Graph('neurons', layout);
  const seed = graph.local('weights', 'f32', [options.steps, rows, width]);
  differentiate(graph, lif(graph, graph.parameter('current'), options), seed);
  const program = graph.build();
  const player = await reference.load(layout, [program]);
  const { value, gradient } = layout.get('current');
  player.write(value, current);
  player.write(seed, weights);
  player.play(program);
  return player.values(gradient);
}

/** The amount each neuron's membrane loses to resets, step by step. */
function resetsOf(
  current: Float64Array,
  {
    steps,
    rows,
    width,
    currentSteps,
    beta,
    threshold,
  }: {
    steps: number;
    rows: number;
    width: number;
    currentSteps: number;
    beta: number;
    threshold: number;
  },
): Float64Array {
  const neurons = rows * width;
  const resets = new Float64Array(steps * neurons);
  for (let i = 0; i < neurons; i++) {
    let u = 0;
    for (let t = 0; t < steps; t++) {
      resets[t * neurons + i] = u > threshold ? threshold : 0;
      u = beta * u + current[currentSteps === 1 ? i : t * neurons + i]! - resets[t * neurons + i]!;
    }
  }
  return resets;
}
