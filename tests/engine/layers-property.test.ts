import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { parameterValues } from '../../engine/graph/parameters.ts';
import { type Network, outputsOf } from '../../engine/layers/network.ts';
import { type Loss, targetTensor, traceLoss } from '../../engine/losses/loss.ts';
import { clockInput, packClock } from '../../engine/ops/step-inputs.ts';
import {
  activation,
  adlif,
  alif,
  averagePool,
  conv2d,
  crossEntropy,
  crossEntropyPerStep,
  currentLif,
  depthwiseConv2d,
  dropout,
  flatten,
  init,
  layerNorm,
  type Layer,
  lif,
  linear,
  maxPool,
  plif,
  recurrentLif,
  residual,
  rmsNorm,
  sequential,
  squaredError,
  sumPool,
} from '../../library/index.ts';
import { extent } from './extent.ts';
import { reference, triedVariants } from './play.ts';
import { randomSource } from './random.ts';
import { worstDifference } from './smooth-spikes.ts';

const ROWS = 3;
const OUTPUTS = 4;
/** Float32 sums of a few hundred numbers. */
const CLOSE = 2e-4;

/** Layers of numbers alone, whose gradients have finite differences. */
const smooth = fc.constantFrom<() => Layer>(
  () => layerNorm(),
  () => rmsNorm(),
  () => activation('gelu'),
  () => activation('sigmoid'),
  () => dropout(0.3),
  () => residual([layerNorm(), activation('softplus')]),
);
const neurons = fc.constantFrom<() => Layer>(
  () => lif({ beta: 0.7, threshold: 0.3 }),
  () => lif({ reset: 'zero', threshold: 0.4, surrogate: 'sigmoid' }),
  () => lif({ reset: 'zero', threshold: 0.4, surrogateWidth: 0.5 }),
  () => recurrentLif({ threshold: 0.4, surrogateWidth: 2 }),
  () => plif({ threshold: 0.3, per: 'neuron' }),
  () => adlif({ threshold: 0.3 }),
  () => alif({ threshold: 0.3 }),
  () => currentLif({ threshold: 0.3 }),
  () => recurrentLif({ threshold: 0.4, surrogate: 'triangle' }),
);
const images = fc.constantFrom<() => Layer>(
  () => conv2d(3, 3, { padding: 1 }),
  () => conv2d(2, [1, 3], { stride: [1, 2], dilation: 1 }),
  () => depthwiseConv2d(3, { multiplier: 2, padding: 'same' }),
  () => averagePool(2),
  () => maxPool([1, 2]),
  () => sumPool([2, 1]),
);
/** Widths on both sides of a word of packed spikes. */
const width = fc.constantFrom(1, 5, 31, 32, 33);

const network = fc
  .record({
    start: fc.array(fc.oneof(images, neurons), { maxLength: 2 }),
    hidden: fc.array(
      fc.record({ width, after: fc.array(fc.oneof(neurons, smooth), { maxLength: 2 }) }),
      { minLength: 1, maxLength: 2 },
    ),
    tail: fc.array(smooth, { maxLength: 1 }),
    steps: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ start, hidden, tail, steps }) => {
    const middle = hidden.flatMap((one) => [linear(one.width), ...one.after.map((make) => make())]);
    const layers = [
      ...start.map((make) => make()),
      flatten(),
      ...middle,
      linear(7, { name: 'tail' }),
      ...tail.map((make) => make()),
      linear(OUTPUTS, { name: 'output' }),
      lif({ beta: 0.8, threshold: 0.5 }),
    ];
    return sequential(layers, { input: [2, 6, 7], steps });
  });

/** Losses of the last layer's membranes, whose gradient is exact, as resets are detached from it. */
const exactLosses: readonly Loss[] = [
  crossEntropyPerStep({ lambda: 0.2 }),
  crossEntropy({ on: 'membranes-mean' }),
  crossEntropy({ on: 'membranes-last' }),
  squaredError({ on: 'membranes-sum' }),
];
const losses: readonly Loss[] = [
  ...exactLosses,
  crossEntropy({ on: 'counts' }),
  squaredError({ on: 'rates', classes: { correct: 0.8, others: 0.2 } }),
];

/** A step without an optimizer: loss and gradients of a network on numbers drawn at random. */
function traceGradients(of: Network, loss: Loss, isHeld: boolean) {
  const graph = new Graph('gradients', of.layout);
  const frames = isHeld ? 1 : of.steps;
  const input = graph.local('inputs', 'f32', [frames, ROWS, 2 * 6 * 7]);
  const clock = clockInput(graph);
  const outputs = outputsOf(of, { graph, isTraining: true, clock }, input);
  const target = targetTensor(graph, loss, { steps: of.steps, rows: ROWS, width: OUTPUTS })!;
  const history = graph.local('loss', 'f32', [1]);
  traceLoss(graph, loss, { outputs, target }, { history, clock }).differentiate();
  const from = randomSource(7);
  const x = from.floats(frames * ROWS * 2 * 6 * 7);
  const y = target.dtype === 'u32' ? Uint32Array.of(1, 3, 0) : from.floats(ROWS * OUTPUTS);
  return {
    program: graph.build(),
    inputs: [
      [input, x],
      [target, y],
    ] as const,
    clock,
    history,
  };
}

async function gradientsOn(backend: Backend, of: Network, loss: Loss, isHeld: boolean) {
  const { program, inputs, clock, history } = traceGradients(of, loss, isHeld);
  const { values } = await init(of, { device: backend, seed: 2 });
  const player = await backend.load(of.layout, [program]);
  player.write(of.layout.values, values);
  for (const [tensor, data] of inputs) player.write(tensor, data);
  player.write(clock, packClock({ step: 3, slot: 0, seed: [1, 2] }));
  player.play(program);
  const gradients = (await player.read(of.layout.gradients)).slice() as Float32Array;
  const lossRead = (await player.read(history))[0]!;
  player.close();
  return { gradients, loss: lossRead };
}

const tried = Object.entries(triedVariants);

describe('a network of random layers', () => {
  it.each(tried)('has the gradient of the reference on %s', async (_name, open) => {
    const backend = await open();
    // Shaders take long to compile on the software adapter.
    const options = { numRuns: extent(20, backend.device.backend === 'webgpu' ? 3 : 6) };
    await fc.assert(
      fc.asyncProperty(
        network,
        fc.constantFrom(...losses),
        fc.boolean(),
        async (of, loss, isHeld) => {
          const expected = await gradientsOn(reference, of, loss, isHeld);
          const found = await gradientsOn(backend, of, loss, isHeld);

          expect(Math.abs(found.loss - expected.loss)).toBeLessThan(CLOSE * (1 + expected.loss));
          const scale = 1 + Math.max(...expected.gradients.map(Math.abs));
          const worst = found.gradients.reduce(
            (most, value, i) => Math.max(most, Math.abs(value - expected.gradients[i]!)),
            0,
          );
          expect(worst).toBeLessThan(CLOSE * scale);
        },
      ),
      options,
    );
    backend.close();
  });

  it('has the gradient of finite differences behind its last spikes', async () => {
    await fc.assert(
      fc.asyncProperty(network, fc.constantFrom(...exactLosses), async (of, loss) => {
        const { program, inputs, clock, history } = traceGradients(of, loss, false);
        const player = await reference.load(of.layout, [program]);
        const { values } = await init(of, { device: reference, seed: 2 });
        player.write(of.layout.values, values);
        for (const [tensor, data] of inputs) player.write(tensor, data);
        player.write(clock, packClock({ step: 3, slot: 0, seed: [1, 2] }));
        player.play(program);
        const lossAt = () => {
          player.play(program);
          return player.values(history)[0]!;
        };
        const behind = ['tail.weight', 'tail.bias', 'output.weight', 'output.bias'].map((name) => {
          const { value, gradient } = of.layout.get(name);
          // Every further play overwrites the gradients.
          return { value, traced: player.values(gradient).slice() };
        });
        for (const { value, traced } of behind) {
          const worst = worstDifference(
            player.values(value) as Float64Array,
            traced,
            lossAt,
            extent(Infinity, 24),
          );

          expect(worst).toBeLessThan(1e-7);
        }
        player.close();
      }),
      { numRuns: extent(20, 6) },
    );
  });

  it('begins with parameters that depend on their names alone', async () => {
    const of = sequential([linear(5, { name: 'a' })], { input: 3 });
    const more = sequential([linear(5, { name: 'a' }), linear(2)], { input: 3 });
    const [one, two] = [
      await init(of, { device: reference }),
      await init(more, { device: reference }),
    ];

    expect(parameterValues(more.layout.get('a.weight'), two.values)).toEqual(
      one.parameter('a.weight'),
    );
  });
});
