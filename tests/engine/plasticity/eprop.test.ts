import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/graph/backend.ts';
import { surrogates } from '../../../engine/backends/reference/neuron-kernels.ts';
import { type EpropBatch, type EpropRun, openEprop } from '../../../engine/plasticity/eprop/run.ts';
import type { EpropStructure } from '../../../engine/plasticity/eprop/structure.ts';
import { reference, wasmVariants, webgpuVariants } from '../play.ts';
import { randomSource } from '../random.ts';
import '../matchers.ts';

const small: EpropStructure = {
  inputs: 7,
  neurons: 10,
  outputs: 3,
  steps: 40,
  batch: 2,
  dt: 1,
  tauMembrane: 10,
  tauReadout: 15,
  threshold: 0.6,
  surrogate: 'triangle',
  feedback: 'symmetric',
};
const adaptive = { ...small, adaptation: { tau: 100, gain: 0.2 } };
const SEQUENCES = 300;
const settings = { seed: 3, learningRate: 0.01, clipNorm: 1 };

const devices: Record<string, () => Promise<Backend>> = {
  reference: async () => reference,
  wasm: wasmVariants['wasm, relaxed, 1 thread'],
  webgpu: webgpuVariants['webgpu, register tiles'],
};

describe.each(Object.keys(devices))('e-prop on %s', (device) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await devices[device]!();
  });
  afterAll(() => backend.close());

  it.each([
    ['LIF', small],
    ['ALIF', adaptive],
  ])(
    'gives the gradient of backpropagation through time for %s whose recurrent spikes are given',
    async (_, structure) => {
      const batch = randomBatch(structure, 11);
      const run = await openEprop(backend, structure, settings);
      const loss = await run.loss(batch);
      const gradients = await matricesOf(run.gradients);
      const expected = backpropagate(structure, batch, await matricesOf(run.weights));
      run.close();

      expect(expected.spikes).toBeGreaterThan(100);
      expect([loss]).toMatchNumbers([expected.loss], 1e-5);
      for (const name of ['input', 'recurrent', 'output'] as const) {
        expect(Math.max(...gradients[name].map(Math.abs))).toBeGreaterThan(0.1);
        expect(gradients[name], name).toMatchNumbers(expected.gradients[name], 1e-4);
      }
    },
  );
});

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

describe('a network that learns by e-prop', () => {
  it.each([
    ['symmetric', 0.15],
    ['random', 0.3],
  ] as const)('learns to generate a pattern with %s feedback', async (feedback, share) => {
    const structure: EpropStructure = {
      ...small,
      inputs: 20,
      neurons: 64,
      outputs: 1,
      steps: 200,
      batch: 1,
      tauMembrane: 20,
      tauReadout: 20,
      feedback,
    };
    const batch = patternBatch(structure);
    const backend = await wasmVariants['wasm, relaxed, 1 thread']();
    const ends: number[] = [];
    // Near its end the loss jumps between sequences, by the last bit of the weights: medians hold still.
    for (const seed of [3, 4, 5]) {
      const run = await openEprop(backend, structure, { ...settings, seed, learningRate: 0.005 });
      const losses: number[] = [];
      for (let i = 0; i < SEQUENCES; i++) losses.push(await run.learn(batch));
      ends.push(median(losses.slice(-50)));
      run.close();
    }
    backend.close();

    const variance = batch.targets.reduce((sum, y) => sum + y ** 2 / 2, 0) / batch.targets.length;
    const last = median(ends);
    console.log(
      `e-prop, ${feedback} feedback: loss ${last.toFixed(4)} after ${SEQUENCES} sequences; ` +
        `silence would have ${variance.toFixed(3)}`,
    );
    expect(last).toBeLessThan(share * variance);
  });

  it.each([
    ['tauMembrane', 0, 'eprop: tauMembrane is 0: expected a positive number'],
    ['threshold', Number.NaN, 'eprop: threshold is NaN: expected a positive number'],
    ['neurons', 0, 'eprop: neurons is 0: expected a whole number of at least 1'],
  ])('refuses %s = %s', async (name, value, message) => {
    const wrong = { ...small, [name]: value };

    await expect(openEprop(reference, wrong, settings)).rejects.toThrow(message);
  });

  it('refuses a batch of another size', async () => {
    const run = await openEprop(reference, small, settings);
    const { inputs } = randomBatch(small, 1);

    await expect(run.learn({ inputs, targets: new Float32Array(5) })).rejects.toThrow(
      'eprop: targets are 5 words, expected 240',
    );
  });
});

interface Matrices {
  readonly input: Float32Array;
  readonly recurrent: Float32Array;
  readonly output: Float32Array;
}

async function matricesOf(read: EpropRun['weights']): Promise<Matrices> {
  const [input, recurrent, output] = await Promise.all([
    read('input'),
    read('recurrent'),
    read('output'),
  ]);
  return { input, recurrent, output };
}

function randomBatch({ steps, batch, inputs, outputs }: EpropStructure, seed: number): EpropBatch {
  const from = randomSource(seed);
  return {
    inputs: from.spikes(steps * batch, inputs, 0.4),
    targets: from.floats(steps * batch * outputs),
  };
}

/** Three sine waves to be generated from frozen Poisson spikes. */
function patternBatch({ steps, inputs }: EpropStructure): EpropBatch {
  return {
    inputs: randomSource(5).spikes(steps, inputs, 0.1),
    targets: Float32Array.from({ length: steps }, (_, t) => {
      const phase = (2 * Math.PI * t) / steps;
      return Math.sin(phase) + 0.5 * Math.sin(2 * phase + 1) + 0.5 * Math.sin(3 * phase + 2);
    }),
  };
}

/**
 * Backpropagation through time in float64, written down once more: forward with all its spikes, then back
 * from the last step. The recurrent spikes are inputs like any others, and the reset is detached, which is
 * where e-prop is exact; the adaptation and its spikes are gone back through.
 */
function backpropagate(structure: EpropStructure, batch: EpropBatch, weights: Matrices) {
  const totals = {
    input: new Float64Array(weights.input.length),
    recurrent: new Float64Array(weights.recurrent.length),
    output: new Float64Array(weights.output.length),
  };
  let [loss, spikes] = [0, 0];
  for (let b = 0; b < structure.batch; b++) {
    const forward = playForward(structure, batch, weights, b);
    loss += forward.loss;
    spikes += forward.fired.flat().reduce((sum, z) => sum + z, 0);
    goBack(structure, weights, forward, totals);
  }
  loss /= batch.targets.length;
  return { loss, spikes, gradients: totals };
}

type Forward = ReturnType<typeof playForward>;

function playForward(structure: EpropStructure, batch: EpropBatch, weights: Matrices, b: number) {
  const { inputs, neurons, outputs, steps, threshold, surrogate } = structure;
  const { alpha, kappa, rho, gain } = constantsOf(structure);
  const words = Math.ceil(inputs / 32);
  const x: number[][] = [];
  const [fired, slopes, errors]: number[][][] = [[], [], []];
  let loss = 0;
  let v = zeros(neurons);
  let a = zeros(neurons);
  let z = zeros(neurons);
  let y = zeros(outputs);
  for (let t = 0; t < steps; t++) {
    const line = (t * structure.batch + b) * words;
    x.push(zeros(inputs).map((_, i) => (batch.inputs[line + (i >>> 5)]! >>> (i & 31)) & 1));
    const before = z;
    const drive = plus(times(x[t]!, weights.input), times(before, weights.recurrent));
    v = v.map((u, j) => alpha * u + drive[j]! - before[j]! * threshold);
    a = a.map((old, j) => rho * old + before[j]!);
    const distance = v.map((u, j) => u - (threshold + gain * a[j]!));
    slopes!.push(distance.map((d) => surrogates[surrogate](d)));
    z = distance.map((d) => Number(d > 0));
    fired!.push(z);
    const out = times(z, weights.output);
    y = y.map((old, k) => kappa * old + out[k]!);
    const first = (t * structure.batch + b) * outputs;
    const error = y.map((value, k) => value - batch.targets[first + k]!);
    errors!.push(error);
    loss += error.reduce((sum, e) => sum + e ** 2 / 2, 0);
  }
  return { x, fired: fired!, slopes: slopes!, errors: errors!, loss };
}

function goBack(
  structure: EpropStructure,
  weights: Matrices,
  { x, fired, slopes, errors }: Forward,
  totals: { readonly [name in keyof Matrices]: Float64Array },
): void {
  const { neurons, outputs, steps } = structure;
  const { alpha, kappa, rho, gain } = constantsOf(structure);
  let dy = zeros(outputs);
  let dv = zeros(neurons);
  let da = zeros(neurons);
  for (let t = steps - 1; t >= 0; t--) {
    dy = errors[t]!.map((error, k) => error + kappa * dy[k]!);
    const dz = zeros(neurons).map((_, j) => {
      const readout = dy.reduce((sum, d, k) => sum + d * weights.output[j * outputs + k]!, 0);
      // da is still that of the step after, to whose adaptation this spike adds.
      return readout + da[j]!;
    });
    dv = dv.map((later, j) => dz[j]! * slopes[t]![j]! + alpha * later);
    da = da.map((later, j) => rho * later - gain * slopes[t]![j]! * dz[j]!);
    outer(totals.input, x[t]!, dv);
    if (t > 0) outer(totals.recurrent, fired[t - 1]!, dv);
    outer(totals.output, fired[t]!, dy);
  }
}

function constantsOf({ dt, tauMembrane, tauReadout, adaptation }: EpropStructure) {
  return {
    alpha: Math.exp(-dt / tauMembrane),
    kappa: Math.exp(-dt / tauReadout),
    rho: adaptation ? Math.exp(-dt / adaptation.tau) : 0,
    gain: adaptation?.gain ?? 0,
  };
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}

function plus(a: number[], b: number[]): number[] {
  return a.map((value, i) => value + b[i]!);
}

/** A row times a matrix `[row, columns]`. */
function times(row: readonly number[], matrix: Float32Array): number[] {
  const columns = matrix.length / row.length;
  return zeros(columns).map((_, j) =>
    row.reduce((sum, value, i) => sum + value * matrix[i * columns + j]!, 0),
  );
}

function outer(total: Float64Array, row: readonly number[], column: readonly number[]): void {
  for (const [i, a] of row.entries()) {
    for (const [j, b] of column.entries()) total[i * column.length + j]! += a * b;
  }
}
