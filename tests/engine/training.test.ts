import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import { openCorpus } from '../../engine/data/corpus/open-corpus.ts';
import type { TrainingSettings } from '../../engine/models/dense-chronospike/settings.ts';
import {
  type ChronospikeOptions as TrainingOptions,
  type ChronospikeRun,
  createTrainingRun,
} from '../../engine/models/dense-chronospike/training.ts';
import { unpackTraining } from '../../engine/models/stored-model.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import type { Progress, TrainingRun } from '../../engine/train/run.ts';
import { textSource } from './byte-sources.ts';
import { extent } from './extent.ts';
import { openNovel, unigramEntropy } from './novel.ts';
import { reference, variants, wasmVariants } from './play.ts';

const WASM = 'wasm, relaxed, 1 thread';
const REGISTER = 'webgpu, register tiles';
/** Steps in which paths that rounding parts stay together. */
const STEPS = extent(100, 8);

const settings: TrainingSettings = {
  width: 16,
  heads: 2,
  blocks: 1,
  steps: 2,
  sequence: 16,
  batch: 8,
  learningRate: 0.02,
  seed: 1,
  budget: { kind: 'steps', steps: 40 },
};

describe('training', () => {
  let corpus: Corpus;
  let backend: Backend;
  beforeAll(async () => {
    corpus = await openNovel();
    backend = await variants[WASM]();
  });
  afterAll(() => backend.close());

  const startOn = (
    device: Backend,
    changes: Partial<TrainingSettings> = {},
    rest: Partial<TrainingOptions> = {},
  ) =>
    createTrainingRun({
      backend: device,
      corpus,
      settings: { ...settings, ...changes },
      controls: stableBaseline,
      ...rest,
    });
  const start = (changes: Partial<TrainingSettings> = {}, rest: Partial<TrainingOptions> = {}) =>
    startOn(backend, changes, rest);

  it('brings the loss far below the entropy of the characters, on unseen text too', async () => {
    const entropy = await unigramEntropy(corpus);
    // More steps than the device keeps losses, read back in one go.
    const run = await start({ budget: { kind: 'steps', steps: 260 } });
    const { losses, norms } = await run.advance(260);
    const { loss } = await run.validate();
    run.close();

    expect(entropy).toBeGreaterThan(3);
    // At first the model knows nothing of 63 characters.
    expect(losses[0]).toBeGreaterThan(Math.log(63) - 0.5);
    expect(mean(losses.subarray(-30))).toBeLessThan(0.8 * entropy);
    expect(loss).toBeLessThan(0.8 * entropy);
    // Every step has a loss and a norm of its own.
    expect(new Set(losses).size).toBeGreaterThan(250);
    expect(new Set(norms).size).toBeGreaterThan(250);
  });

  it('gives the same losses to the last digit on one thread and on two', async () => {
    const losses: number[][] = [];
    for (const kind of ['wasm, plain, 1 thread', 'wasm, plain, 2 threads'] as const) {
      const device = await variants[kind]();
      const run = await start({}, { backend: device });
      losses.push([...(await run.advance(40)).losses]);
      run.close();
      device.close();
    }

    expect(new Set(losses[0]).size).toBe(40);
    expect(losses[1]).toEqual(losses[0]);
  });

  // Rounding flips single spikes, so the paths part; where they lead to does not.
  it(`ends ${STEPS} steps within 1 % of the same loss on every backend`, async () => {
    const ends: Record<string, number> = {};
    // Of the shader variants the fastest here: the golden tensors hold the others to the same numbers.
    const all = {
      reference: async () => reference,
      [REGISTER]: variants[REGISTER],
      ...extent<Partial<typeof variants>>(wasmVariants, {
        'wasm, relaxed, 2 threads': wasmVariants['wasm, relaxed, 2 threads'],
        'wasm, plain, 1 thread': wasmVariants['wasm, plain, 1 thread'],
      }),
    };
    for (const [kind, open] of Object.entries(all)) {
      const device = await open();
      const run = await startOn(device, { batch: 4, budget: { kind: 'steps', steps: STEPS } });
      await run.advance(STEPS);
      ends[kind] = (await run.validate()).loss;
      run.close();
      device.close();
    }

    const lowest = Math.min(...Object.values(ends));
    for (const [kind, loss] of Object.entries(ends)) {
      expect(loss / lowest, kind).toBeLessThan(1.01);
    }
    // A quarter of a minute on two free cores; others may use them, too.
  }, 240_000);

  describe.each([WASM, REGISTER] as const)('with one seed on %s', (kind) => {
    let device: Backend;
    let whole: TrainingRun;
    let expected: Progress;
    const startHere = (
      changes: Partial<TrainingSettings> = {},
      rest: Partial<TrainingOptions> = {},
    ) => startOn(device, changes, rest);
    beforeAll(async () => {
      device = await variants[kind]();
      whole = await startHere();
      expected = await whole.advance(40);
    });
    afterAll(() => {
      whole.close();
      device.close();
    });

    it('gives the same losses to the last digit, however the steps are cut', async () => {
      const run = await startHere();
      const parts = [await run.advance(1), await run.advance(33), await run.advance(6)];
      run.close();

      expect(parts.flatMap(({ losses }) => [...losses])).toEqual([...expected.losses]);
      expect(parts.flatMap(({ norms }) => [...norms])).toEqual([...expected.norms]);
    });

    it('gives other losses than with another seed', async () => {
      const run = await startHere({ seed: 2 });
      const { losses } = await run.advance(3);
      run.close();

      expect(losses).not.toEqual(expected.losses.subarray(0, 3));
    });

    it('resumes bit for bit from a checkpoint, on a device opened anew, whatever was done between', async () => {
      const first = await startHere();
      const before = await first.advance(7);
      await first.validate();
      await textOf(first, 5);
      await first.observer.observe(new Uint32Array(settings.sequence), 'blocks.0.qkv');
      const more = await first.advance(6);
      const files = await first.checkpoint();
      first.close();

      const other = await variants[kind]();
      const resume = unpackTraining(files);
      const second = await startHere({}, { backend: other, resume });
      const after = await second.advance(27);
      const [resumed, uninterrupted] = [await second.checkpoint(), await whole.checkpoint()];
      const validations = [await second.validate(), await whole.validate()];
      second.close();
      other.close();

      const losses = [before, more, after].flatMap((part) => [...part.losses]);
      expect(losses).toEqual([...expected.losses]);
      expect([...after.norms]).toEqual([...expected.norms.subarray(13)]);
      for (const name of ['model.safetensors', 'optimizer.safetensors']) {
        expect(resumed.get(name), name).toEqual(uninterrupted.get(name));
      }
      expect(validations[0]).toEqual(validations[1]);
    });

    it('says in its checkpoint where it stands', async () => {
      const { state, execution } = unpackTraining(await whole.checkpoint());

      expect(whole.stepsPerEpoch).toBe(Math.ceil((corpus.length * 0.9) / (8 * 16)));
      expect(state).toMatchObject({
        step: 40,
        random: { generator: 'philox4x32-10', seed: 1, step: 40 },
        data: {
          name: 'chapter_1.txt',
          sha256: corpus.digest,
          characters: corpus.length,
          position: { epoch: 0, step_in_epoch: 40 },
        },
        last_loss: expected.losses[39],
      });
      expect(state.seconds).toBeCloseTo(expected.seconds, 6);
      expect(execution.submitted).toMatchObject({ learning_rate: 0.02, batch_size: 8 });
      expect([whole.step(), whole.progress(), whole.totalSteps]).toEqual([40, 1, 40]);
    });

    it('measures how every layer fires', async () => {
      const { layers } = await whole.validate();

      expect(layers.map(({ name, neurons }) => [name, neurons])).toEqual([
        ['blocks.0.in1', 16],
        ['blocks.0.qkv', 48],
        ['blocks.0.attention', 16],
        ['blocks.0.in2', 16],
        ['blocks.0.up', 64],
      ]);
      for (const { name, rate, dead, saturated, histogram, neurons } of layers) {
        expect(rate, name).toBeGreaterThan(0);
        expect(rate, name).toBeLessThan(1);
        expect(dead + saturated, name).toBeLessThanOrEqual(1);
        expect(histogram.reduce((a, b) => a + b, 0)).toBe(neurons);
      }
    });
  });

  describe('is refused', () => {
    it('when it resumes with another text, naming both digests', async () => {
      const run = await start();
      await run.advance(1);
      const resume = unpackTraining(await run.checkpoint());
      run.close();
      const other = await openCorpus(textSource('Call me Ahab. '.repeat(100), 'ahab.txt'));

      await expect(start({}, { corpus: other, resume })).rejects.toMatchObject({
        code: 'checkpoint-mismatch',
        message:
          `the checkpoint was trained on chapter_1.txt (sha256 ${corpus.digest}), ` +
          `but ahab.txt has the sha256 ${other.digest}`,
      });
      // As many parameters, but another model.
      await expect(start({ heads: 4 }, { resume })).rejects.toMatchObject({
        code: 'checkpoint-mismatch',
        message: 'the checkpoint has n_heads 2, the settings ask for 4',
      });
      await expect(start({ steps: 3 }, { resume })).rejects.toThrow(
        'the checkpoint has time_steps 2, the settings ask for 3',
      );
      await expect(start({ sequence: 20 }, { resume })).rejects.toThrow(
        'the checkpoint has seq_len 16, the settings ask for 20',
      );
      await expect(start({ width: 32 }, { resume })).rejects.toThrow(
        'the checkpoint has d_model 16, the settings ask for 32',
      );
    });

    it('when a setting cannot be or the text is too short, before the device is used', async () => {
      const untouched: Backend = { ...backend, load: () => Promise.reject(new Error('loaded')) };

      await expect(start({ batch: 0 }, { backend: untouched })).rejects.toMatchObject({
        code: 'invalid-setting',
        message: 'batch_size is 0: expected a whole number of at least 1',
      });
      await expect(start({ width: 30, heads: 4 }, { backend: untouched })).rejects.toMatchObject({
        code: 'invalid-structure',
      });
      await expect(start({ sequence: 5000 }, { backend: untouched })).rejects.toMatchObject({
        code: 'text-too-short',
        message: expect.stringContaining(
          'chapter_1.txt has 12208 characters: seq_len 5000 needs at least 50001',
        ),
      });
    });
  });

  describe('stops, naming the rate and the step,', () => {
    // Spikes hide membranes that are no numbers: the loss stays finite, and nothing is learnt.
    it('where a learning rate of 1e4 makes every gradient overflow', async () => {
      const run = await start({ learningRate: 1e4 });
      const error = await failureOf(run.advance(40));
      run.close();

      expect(error).toMatchObject({ code: 'diverged' });
      expect(error.message).toMatch(
        /^(?:the gradient is not finite for \d+ steps in a row|the loss is .* far above it for \d+ steps in a row) at step 32: learning_rate 10000 is too high/,
      );
      expect(run.step()).toBe(32);
    });

    it('where the loss is no number any more, in training and in validation', async () => {
      const healthy = await start();
      await healthy.advance(1);
      const resume = unpackTraining(await healthy.checkpoint());
      healthy.close();
      const values = resume.values.map(() => Number.NaN);
      const run = await start({}, { resume: { ...resume, values } });
      const errors = [await failureOf(run.validate()), await failureOf(run.advance(2))];
      run.close();

      const rest =
        'learning_rate 0.02 is too high for this model; begin anew with a lower one, or leave it out';
      expect(errors).toMatchObject([
        { code: 'diverged', message: `the loss is NaN at step 1: ${rest}` },
        { code: 'diverged', message: `the loss is NaN at step 3: ${rest}` },
      ]);
    });
  });
});

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );
}

function mean(values: Float32Array): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

async function textOf({ generator }: ChronospikeRun, tokens: number): Promise<string> {
  let text = '';
  const request = { prompt: 'Call', tokens, temperature: 1, topK: 0, topP: 1, seed: 1 };
  for await (const piece of generator.generate(request)) text += piece;
  return text;
}
