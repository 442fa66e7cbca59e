import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { unpackModel, unpackTraining } from '../../engine/models/stored-model.ts';
import { listedFiles } from '../../engine/checkpoint/files.ts';
import { publicationOf } from '../../engine/checkpoint/publication.ts';
import type { Fields } from '../../engine/settings/fields.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { tracePrivateTraining } from '../../engine/models/classification/private-programs.ts';
import { spikingMlp } from '../../engine/models/spiking-mlp/classifier.ts';
import { training as visionFamily } from '../../engine/models/spiking-vision/training.ts';
import { privateSums, takeNoised } from '../../engine/ops/private-sum.ts';
import { packRates } from '../../engine/ops/step-inputs.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import { epsilonAfter } from '../../engine/train/privacy/accountant.ts';
import { poissonSample } from '../../engine/models/classification/private-run.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import { stableBaseline as controls } from '../../engine/settings/controls.ts';
import { bandedPictures } from './data-sets.ts';
import { reference, wasmVariants } from './play.ts';
import { randomSource } from './random.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await wasmVariants['wasm, relaxed, 2 threads']();
});
afterAll(() => backend.close());

const neuron = { beta: 0.9, threshold: 1, surrogate: 'atan' } as const;
const classifier = spikingMlp({ inputs: 6, hidden: 9, classes: 3, steps: 4, ...neuron });

describe('the sum of a private step', () => {
  it('holds the gradient of each example by itself, none longer than the clipping norm', async () => {
    const CLIP = 0.05;
    const { layout } = classifier;
    const noise = { noise: 1, clipNorm: CLIP, batch: 3 };
    const { example, train, sums } = tracePrivateTraining(classifier, noise, controls);
    const player = await reference.load(layout, [example.program, train.program]);
    for (const one of layout.parameters) player.write(one.value, initialValues(one, 1));
    const clip = packRates({
      learningRate: 0,
      weightDecay: 0,
      clipNorm: CLIP,
      corrections: [1, 1],
    });
    player.write(example.rates, clip);
    player.write(example.share, Float32Array.of(1 / 3));
    const from = randomSource(5);
    const expected = new Float64Array(layout.values.shape[0]!);

    for (let i = 0; i < 3; i++) {
      // The last is so faint that nothing of its gradient is cut away.
      player.write(example.inputs, from.floats(6, 0, i === 2 ? 1e-4 : 2));
      player.write(example.targets, new Uint32Array(4).fill(i));
      player.play(example.program);
      const gradient = player.values(layout.gradients);
      const norm = Math.sqrt(gradient.reduce((sum, g) => sum + g ** 2, 0));
      expect(norm).toBeGreaterThan(0);
      const factor = Math.min(1, CLIP / norm);
      for (const [j, g] of gradient.entries()) expected[j] = expected[j]! + factor * g;
    }

    const sum = player.values(sums.gradient);
    for (const [j, value] of expected.entries()) expect(sum[j]).toBeCloseTo(value, 6);
  });

  it('leaves out an example whose gradient is not finite', async () => {
    const { example, train, sums } = tracePrivateTraining(
      classifier,
      { noise: 1, clipNorm: 1, batch: 3 },
      controls,
    );
    const player = await reference.load(classifier.layout, [example.program, train.program]);
    player.write(example.inputs, new Float32Array(6).fill(Number.NaN));

    player.play(example.program);

    expect([...player.values(sums.gradient)].every((value) => value === 0)).toBe(true);
  });

  it('gets Gaussian noise of the requested deviation, on trained numbers alone', async () => {
    const initial = { kind: 'constant', value: 0 } as const;
    const layout = layOutParameters([
      { name: 'weight', shape: [201, 101], initial, decayed: true },
      { name: 'bias', shape: [3], initial, decayed: false },
    ]);
    const graph = new Graph('noise', layout);
    const sums = privateSums(layout);
    takeNoised(graph, sums, { noise: 1.5, clipNorm: 2, batch: 4 });
    const program = graph.build();
    const player = await backend.load(layout, [program]);
    const noiseOf = async (step: number) => {
      player.write(sums.clock, Uint32Array.of(step, 0, 11, 12));
      player.play(program);
      return (await player.read(layout.gradients)) as Float32Array;
    };

    const block = (await noiseOf(0)).slice();
    const z = Array.from(block.subarray(0, 201 * 101), (g) => (g * 4) / (1.5 * 2));

    const moment = (power: number) => z.reduce((sum, value) => sum + value ** power, 0) / z.length;
    // Within five standard errors of 20,301 draws.
    expect(Math.abs(moment(1))).toBeLessThan(5 / Math.sqrt(z.length));
    expect(Math.abs(moment(2) - 1)).toBeLessThan(5 * Math.sqrt(2 / z.length));
    expect(Math.abs(moment(3))).toBeLessThan(5 * Math.sqrt(15 / z.length));
    expect(Math.abs(moment(4) - 3)).toBeLessThan(5 * Math.sqrt(96 / z.length));
    const bias = layout.get('bias').offsetBytes / 4;
    expect([...block.subarray(201 * 101, bias)].every((value) => value === 0)).toBe(true);
    expect([...block.subarray(bias + 3)].every((value) => value === 0)).toBe(true);
    expect(await noiseOf(1)).not.toEqual(block);
    player.close();
  });
});

describe('a Poisson sample', () => {
  it('takes each example with the same probability, and none twice', () => {
    const counts = new Uint32Array(50);
    const STEPS = 4000;
    for (let step = 0; step < STEPS; step++) {
      const sample = poissonSample(50, 0.1, { key: [3, 4], step });
      expect(new Set(sample).size).toBe(sample.length);
      for (const example of sample) counts[example]!++;
    }

    // Binomial counts: mean 400, deviation 19.
    expect(Math.min(...counts)).toBeGreaterThan(400 - 5 * 19);
    expect(Math.max(...counts)).toBeLessThan(400 + 5 * 19);
    expect(poissonSample(5, 1, { key: [3, 4], step: 0 })).toEqual([0, 1, 2, 3, 4]);
  });
});

const pictures = bandedPictures(120, 30);

function settingsWith(fields: Fields, change: Partial<RunSettings> = {}): RunSettings {
  return {
    architecture: 'spiking_vision',
    fields: { output_dim: 3, model_variant: 'mlp', privacy_level: 'low', ...fields },
    batch: 24,
    learningRate: 5e-3,
    seed: 3,
    budget: { kind: 'epochs', epochs: 12 },
    ...change,
  };
}

async function runWith(settings: RunSettings, resume?: ReturnType<typeof unpackTraining>) {
  const data = await visionFamily.openData(pictures, settings);
  const options = { backend, settings, controls, ...(resume && { resume }) };
  return visionFamily.createRun(options, data);
}

describe('a private run', () => {
  it('says in its config.json what it has spent, and spends no more', async () => {
    const run = await runWith(settingsWith({}));
    await run.advance(run.totalSteps!);

    const { execution } = unpackTraining(await run.checkpoint());

    const spent = execution.privacy!;
    expect(spent).toMatchObject({
      privacy_level: 'low',
      steps: 60,
      delta: 1e-5,
      sampling_rate: 0.2,
    });
    expect(spent.epsilon).toBeLessThanOrEqual(8);
    expect(spent.epsilon).toBeGreaterThan(7.9);
    const { noise_multiplier: noise, sampling_rate: rate, steps, delta } = spent;
    expect(spent.epsilon).toBe(epsilonAfter({ noise, rate, steps, delta }));
    await expect(run.advance(1)).rejects.toThrow('is spent after 60 steps: expected no more');
    run.close();
  });

  it('resumes from a checkpoint bit for bit, with noise that the seed does not determine', async () => {
    const settings = settingsWith({});
    const run = await runWith(settings);
    const { losses: first } = await run.advance(3);
    const files = await run.checkpoint();
    const { losses } = await run.advance(3);
    const other = await runWith(settings);

    const resumed = await runWith(settings, unpackTraining(files));
    expect((await resumed.advance(3)).losses).toEqual(losses);
    expect(await resumed.parameters()).toEqual(await run.parameters());
    expect((await other.advance(3)).losses).not.toEqual(first);
    for (const one of [run, resumed, other]) one.close();
  });

  it('publishes what its model is used with, and not the key of its noise', async () => {
    const run = await runWith(settingsWith({}));
    await run.advance(1);
    const files = await run.checkpoint();
    run.close();

    const { files: published, withheld } = publicationOf(files, unpackTraining(files));

    expect([...published.keys()]).toEqual([
      'model.safetensors',
      'config.json',
      'model_spec.json',
      'manifest.json',
    ]);
    expect(listedFiles(published)).not.toContain('optimizer.safetensors');
    expect(withheld).toEqual(['optimizer.safetensors', 'training_state.json']);
    expect(unpackModel(published).values).toEqual(unpackModel(files).values);
  });

  it('is refused where the privacy budget cannot be accounted', async () => {
    const minutes = settingsWith({}, { budget: { kind: 'minutes', minutes: 1 } });
    await expect(runWith(minutes)).rejects.toThrow(/expected epochs or steps/);
    const run = await runWith(settingsWith({}));
    await run.advance(1);
    const stored = unpackTraining(await run.checkpoint());

    const longer = settingsWith({}, { budget: { kind: 'epochs', epochs: 20 } });
    await expect(runWith(longer, stored)).rejects.toMatchObject({
      code: 'checkpoint-mismatch',
      message: expect.stringContaining('budget that the private run began with'),
    });
    expect(() => run.reseedData(5)).toThrow(/several trainers spend together is not counted/);
    run.close();
  });
});
