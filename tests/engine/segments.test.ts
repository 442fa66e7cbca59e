import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import type { Network } from '../../engine/layers/network.ts';
import { emptyBatch, traceTraining } from '../../engine/layers/training-programs.ts';
import { createStepInputs } from '../../engine/ops/step-inputs.ts';
import type { Loss } from '../../engine/losses/loss.ts';
import {
  activation,
  adlif,
  alif,
  crossEntropy,
  crossEntropyPerStep,
  currentLif,
  delayedLinear,
  delays,
  dropout,
  init,
  type Layer,
  layerNorm,
  lif,
  linear,
  neuron,
  plif,
  residual,
  rmsNorm,
  sequential,
  sgd,
  squaredError,
} from '../../library/index.ts';
import { rateBounds, sum } from '../../library/losses.ts';
import { extent } from './extent.ts';
import { reference, variants } from './play.ts';
import { randomSource } from './random.ts';

const ROWS = 3;
const INPUTS = 5;
const OUTPUTS = 4;

const neurons = fc.constantFrom<() => Layer>(
  () =>
    neuron(`state u = 0.3, w = 0
      learn g = 0.3
      u = 0.8 * u + I - g * groupMean(w)
      s = spike(u - 0.4)
      w = 0.9 * w + 0.2 * s
      u = u - 0.4 * s`),
  () => lif({ beta: 0.7, threshold: 0.3 }),
  () => lif({ reset: 'zero', threshold: 0.4, surrogate: 'sigmoid' }),
  () => plif({ threshold: 0.3, per: 'neuron' }),
  () => alif({ threshold: 0.3 }),
  () => currentLif({ threshold: 0.3 }),
  () => adlif({ threshold: 0.3 }),
  // Begins above zero, and its reset has a gradient.
  () =>
    neuron(`state u = 0.4, w = -0.1
      learn beta = 0.8 in [0, 1] per neuron;  learn a = 0.2
      u = beta * u + I - w
      s = spike(u - 0.4)
      w = 0.9 * w + a * s
      u = u - 0.4 * s`),
  () =>
    neuron(
      `state u = 0.2, w = 0
      learn beta = 0.8 in [0, 1] per neuron;  learn a = 0.2
      u = beta * u + I - w
      s = spike(u - 0.4)
      w = 0.9 * w + a * s
      u = u - detach(0.4 * s)`,
      { recurrent: true },
    ),
);
const smooth = fc.constantFrom<() => Layer>(
  // Longer than a segment, and shorter.
  () => delays(4),
  () => delayedLinear(6, 1),
  () => layerNorm(),
  () => rmsNorm(),
  () => activation('gelu'),
  () => residual([layerNorm(), activation('softplus')]),
);
const losses = fc.constantFrom<Loss>(
  crossEntropy({ on: 'counts' }),
  squaredError({ on: 'rates', classes: { correct: 0.8, others: 0.2 } }),
  crossEntropy({ on: 'membranes-mean' }),
  crossEntropy({ on: 'membranes-last' }),
  crossEntropy({ on: 'membranes-max' }),
  squaredError({ on: 'membranes-sum' }),
  crossEntropyPerStep({ lambda: 0.2 }),
  sum([
    { loss: crossEntropy(), weight: 1 },
    { loss: rateBounds({ lower: 0.1, upper: 0.3 }), weight: 2 },
  ]),
);

interface Drawn {
  readonly layers: readonly Layer[];
  readonly steps: number;
  readonly segments: number;
  readonly isHeld: boolean;
  readonly loss: Loss;
}

function caseOf({ layers, steps, segments, isHeld, loss }: Drawn): Case {
  const all = [...(isHeld ? [dropout(0.3)] : []), ...layers, linear(OUTPUTS)];
  const network = sequential([...all, lif({ beta: 0.8, threshold: 0.5 })], {
    input: INPUTS,
    steps,
  });
  const text = JSON.stringify({ ...network.toJSON(), segments, isHeld, loss: loss.name });
  return { network, segments, isHeld, loss, [fc.toStringMethod]: () => text } as Case;
}

/** Most operands of all kernels: more than a stage of a GPU binds, were they not packed. */
const widest = caseOf({
  layers: [linear(33), adlif({ threshold: 0.3 })],
  steps: 11,
  segments: 3,
  isHeld: true,
  loss: crossEntropy({ on: 'membranes-last' }),
});

/** On the way back a linear leaves out neurons whose membranes are far from the threshold, as they are at rest. */
const masked = caseOf({
  layers: [linear(33), lif({ beta: 0.95, threshold: 1.5, surrogate: 'triangle' })],
  steps: 11,
  segments: 3,
  isHeld: false,
  loss: crossEntropy({ on: 'membranes-mean' }),
});

const grouped = caseOf({
  layers: [
    linear(33),
    neuron(`state u = 0.3, w = 0
      learn g = 0.3
      u = 0.8 * u + I - g * groupMean(w)
      s = spike(u - 0.4)
      w = 0.9 * w + 0.2 * s
      u = u - 0.4 * s`),
  ],
  steps: 11,
  segments: 3,
  isHeld: false,
  loss: crossEntropy({ on: 'membranes-mean' }),
});
const cases = fc
  .record({
    hidden: fc.array(
      fc.record({
        width: fc.constantFrom(1, 7, 31, 32, 33),
        after: fc.array(fc.oneof(neurons, smooth), { minLength: 1, maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    steps: fc.integer({ min: 4, max: 23 }),
    isHeld: fc.boolean(),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    loss: losses,
  })
  .map(({ hidden, steps, isHeld, share, loss }) => {
    const segments = 2 + Math.floor(share * (Math.floor(steps / 2) - 1.001));
    const layers = hidden.flatMap((one) => [linear(one.width), ...one.after.map((make) => make())]);
    return caseOf({ layers, steps, segments, isHeld, loss });
  });

interface Case {
  readonly network: Network;
  readonly segments: number;
  readonly isHeld: boolean;
  readonly loss: Loss;
}

/** The gradients of a second step, as the first one must leave nothing behind. */
async function gradientsOn(
  backend: Backend,
  { network, isHeld, loss }: Case,
  segments: number,
): Promise<{ readonly loss: number; readonly gradients: Float32Array }> {
  const form = { frames: isHeld ? 1 : network.steps, dtype: 'f32' } as const;
  const optimizer = sgd(1);
  const program = traceTraining(network, form, { loss, optimizer, rows: ROWS, segments });
  const player = await backend.load(network.layout, program.programs);
  const { values } = await init(network, { device: backend, seed: 2 });
  player.write(network.layout.values, values);
  const batch = emptyBatch(program);
  const from = randomSource(7);
  const { weightDecay, beta1, beta2, clipNorm } = optimizer;
  const inputs = createStepInputs({ weightDecay, beta1, beta2, clipNorm, seed: [1, 2] });
  for (const step of [0, 1]) {
    batch.inputs.set(from.floats(batch.inputs.length, -1, 1.5));
    if (loss.target === 'classes') batch.targets.set([1, 3, 0]);
    else batch.targets.set(from.floats(batch.targets.length));
    inputs.set(step, 0);
    player.write(program.clock, inputs.clock);
    player.write(program.rates, inputs.rates);
    program.play(player, batch);
  }
  const gradients = (await player.read(network.layout.gradients)).slice() as Float32Array;
  const lossRead = (await player.read(program.losses))[1]!;
  player.close();
  return { gradients, loss: lossRead };
}

function worstOf(found: Float32Array, expected: Float32Array): number {
  const scale = 1e-6 + Math.max(...expected.map(Math.abs));
  return (
    found.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i]!)), 0) / scale
  );
}

/** Shaders take long to compile on the software adapter. */
const tried = Object.entries(variants).filter(([name]) =>
  extent(
    true,
    ['webgpu, subgroups', 'wasm, plain, 2 threads', 'wasm, relaxed, 1 thread'].includes(name),
  ),
);

describe('training in segments of time', () => {
  it('has the gradient of all steps at once in float64', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const whole = await gradientsOn(reference, one, 1);
        const found = await gradientsOn(reference, one, one.segments);

        // Gradients are rounded to float32 once.
        expect(found.loss).toBe(whole.loss);
        expect(worstOf(found.gradients, whole.gradients)).toBeLessThan(2e-7);
      }),
      { numRuns: extent(200, 30), examples: [[grouped]] },
    );
  });

  it.each([true, false])('counts numbers that are held (%s) in every step once', async (isHeld) => {
    const layers = [linear(7), activation('gelu'), linear(OUTPUTS)];
    const network = sequential(layers, { input: INPUTS, steps: 9 });
    const one = { network, segments: 3, isHeld, loss: crossEntropy({ on: 'values' }) };

    const whole = await gradientsOn(reference, one, 1);
    const found = await gradientsOn(reference, one, 3);

    expect(found.loss).toBe(whole.loss);
    expect(worstOf(found.gradients, whole.gradients)).toBeLessThan(2e-7);
  });

  it.each(tried)('has it on %s', async (name, open) => {
    const backend = await open();
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const whole = await gradientsOn(backend, one, 1);
        const found = await gradientsOn(backend, one, one.segments);

        expect(found.loss).toBe(whole.loss);
        expect(worstOf(found.gradients, whole.gradients)).toBeLessThan(1e-5);
      }),
      {
        numRuns: extent(20, name.startsWith('webgpu') ? 3 : 10),
        examples: [[grouped], [widest], [masked]],
      },
    );
    backend.close();
  });
});
