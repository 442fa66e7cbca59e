import { describe, expect, it } from 'vitest';
import { traceTraining } from '../../engine/models/classification/classifier.ts';
import { spikingMlp } from '../../engine/models/spiking-mlp/classifier.ts';
import {
  checkStructure,
  type SpikingMlpStructure,
  tutorialStructure,
} from '../../engine/models/spiking-mlp/structure.ts';
import { packClock, packRates } from '../../engine/ops/step-inputs.ts';
import { inEveryStep } from '../../engine/models/classification/example-feed.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

/** A hidden layer of 33 has a word of spikes and one neuron more. */
const structure: SpikingMlpStructure = {
  inputs: 7,
  hidden: 33,
  classes: 5,
  steps: 6,
  beta: 0.8,
  threshold: 0.5,
  surrogate: 'atan',
};
const BATCH = 3;
const from = randomSource(11);
const inputs = from.floats(BATCH * structure.inputs, 0, 1);
const labels = from.integers(BATCH, structure.classes);

/** Plays one step of training in float64; gives parameters and gradients as they were, and the player. */
async function playStep(learningRate: number, epsilon: number) {
  const classifier = spikingMlp(structure);
  const { layout } = classifier;
  const train = traceTraining(classifier, BATCH, { beta1: 0.9, beta2: 0.999, epsilon });
  const player = await reference.load(layout, [train.program]);
  const values = Object.fromEntries(
    layout.parameters.map(({ spec, value }) => {
      const scale = spec.name === 'hidden.weight' ? 0.6 : 0.4;
      const live = player.values(value);
      live.set(randomSource(spec.name.length).floats(live.length, -scale, scale));
      return [spec.name, live.slice()];
    }),
  );
  player.write(train.inputs, inputs);
  player.write(train.targets, inEveryStep(labels, new Uint32Array(structure.steps * BATCH)));
  player.write(train.clock, packClock({ step: 0, slot: 0, seed: [0, 0] }));
  const rates = { learningRate, weightDecay: 0, clipNorm: 1e30 };
  player.write(train.rates, packRates({ ...rates, corrections: [0.1, 0.001] }));
  player.play(train.program);
  const gradients = layout.parameters.map(({ spec, gradient, value }) => ({
    name: spec.name,
    gradient: player.values(gradient),
    after: player.values(value),
  }));
  return { values, gradients, loss: player.values(train.losses)[0]! };
}

describe('a spiking classifier', () => {
  it('has the gradient of the loss with surrogate spikes and detached resets', async () => {
    const { values, gradients, loss } = await playStep(0, 1e-8);
    const run = smoothNetwork(values);

    expect(run()).toBeCloseTo(loss, 12);
    expect(run.firing).toBeGreaterThan(0.1);
    for (const { name, gradient } of gradients) {
      const parameter = values[name]!;
      for (let i = 0; i < parameter.length; i++) {
        const centre = parameter[i]!;
        parameter[i] = centre + 1e-5;
        const above = run();
        parameter[i] = centre - 1e-5;
        const below = run();
        parameter[i] = centre;
        expect(Math.abs(gradient[i]! - (above - below) / 2e-5), `${name}[${i}]`).toBeLessThan(1e-8);
      }
    }
  });

  it('takes the step that Adam takes for the sum over time steps, epsilon and all', async () => {
    const [rate, epsilon] = [0.01, 0.1];
    const { values, gradients } = await playStep(rate, epsilon);

    for (const { name, gradient, after } of gradients) {
      for (let i = 0; i < gradient.length; i++) {
        const summed = structure.steps * gradient[i]!;
        const expected = values[name]![i]! - (rate * summed) / (Math.abs(summed) + epsilon);
        // Rates and corrections reach the device as float32.
        expect(Math.abs(after[i]! - expected), `${name}[${i}]`).toBeLessThan(1e-7);
      }
    }
  });

  it.each([
    [{ inputs: 0 }, 'inputs is 0: expected a whole number from 1 to 1048576'],
    [{ hidden: 1.5 }, 'hidden is 1.5: expected a whole number from 1 to 65536'],
    [{ classes: Number.NaN }, 'classes is NaN: expected a whole number from 1 to 65536'],
    [{ steps: 4096 }, 'time_steps is 4096: expected a whole number from 1 to 1024'],
    [{ beta: 1.1 }, 'beta is 1.1: expected a number from 0 to 1'],
    [{ threshold: 0 }, 'threshold is 0: expected a positive number'],
  ])('cannot be built with %j', (change, message) => {
    expect(() => checkStructure({ ...tutorialStructure, ...change })).toThrow(
      expect.objectContaining({ code: 'invalid-structure', message: `spiking_mlp: ${message}` }),
    );
  });
});

/**
 * The mean loss as a smooth function of the parameters around those it starts from: spikes of the
 * hidden layer are what they were plus the change of the surrogate's integral, resets stay as they were.
 */
function smoothNetwork(values: Readonly<Record<string, Float64Array>>) {
  const { hidden, classes, steps, threshold } = structure;
  const first = { spikes: new Map<string, number>(), smooth: new Map<string, number>() };
  let isFirst = true;
  /** A neuron through time: its membranes, with resets where it fired at the start. */
  const integrate = (name: string, drive: (t: number) => number): number[] => {
    let u = 0;
    return Array.from({ length: steps }, (_, t) => {
      const reset = t > 0 && first.spikes.get(`${name} ${t - 1}`) ? threshold : 0;
      u = structure.beta * u + drive(t) - reset;
      if (isFirst) {
        first.spikes.set(`${name} ${t}`, u > threshold ? 1 : 0);
        first.smooth.set(`${name} ${t}`, integral(u - threshold));
      }
      return u;
    });
  };
  const neuron = (layer: 'hidden' | 'output', n: number, sources: ArrayLike<number>) => {
    const weights = values[`${layer}.weight`]!;
    const width = layer === 'hidden' ? hidden : classes;
    let sum = values[`${layer}.bias`]![n]!;
    for (let k = 0; k < sources.length; k++) sum += sources[k]! * weights[k * width + n]!;
    return sum;
  };
  const lossOf = (row: number): number => {
    const pixels = inputs.subarray(row * structure.inputs, (row + 1) * structure.inputs);
    const spikes = Array.from({ length: hidden }, (_, n) => {
      const current = neuron('hidden', n, pixels);
      const name = `${row} hidden ${n}`;
      return integrate(name, () => current).map((u, t) => {
        const at = `${name} ${t}`;
        return first.spikes.get(at)! + integral(u - threshold) - first.smooth.get(at)!;
      });
    });
    const membranes = Array.from({ length: classes }, (_, n) =>
      integrate(`${row} output ${n}`, (t) =>
        neuron(
          'output',
          n,
          spikes.map((s) => s[t]!),
        ),
      ),
    );
    let loss = 0;
    for (let t = 0; t < steps; t++) {
      const logits = membranes.map((u) => u[t]!);
      loss += Math.log(logits.reduce((sum, u) => sum + Math.exp(u), 0)) - logits[labels[row]!]!;
    }
    return loss;
  };
  const run = () => {
    let loss = 0;
    for (let row = 0; row < BATCH; row++) loss += lossOf(row);
    isFirst = false;
    return loss / BATCH / steps;
  };
  run();
  const fired = [...first.spikes.values()];
  return Object.assign(run, { firing: fired.reduce((a, b) => a + b, 0) / fired.length });
}

/** The integral of the atan surrogate. */
function integral(x: number): number {
  return Math.atan(Math.PI * x) / Math.PI;
}
