import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { type StoredTraining } from '../../engine/checkpoint/checkpoint.ts';
import { unpackTraining } from '../../engine/models/stored-model.ts';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import { openCorpus } from '../../engine/data/corpus/open-corpus.ts';
import type { Distillation } from '../../engine/models/language/loss-rule.ts';
import { type TrainingSettings } from '../../engine/models/dense-chronospike/settings.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { createTrainingRun } from '../../engine/models/dense-chronospike/training.ts';
import { textSource } from './byte-sources.ts';
import { openNovel, unigramEntropy } from './novel.ts';
import { reference, variants } from './play.ts';
import { startTransformer, trainedTransformer } from './transformer-run.ts';

const settings: TrainingSettings = {
  width: 16,
  heads: 2,
  blocks: 1,
  steps: 2,
  sequence: 12,
  batch: 8,
  learningRate: 0.02,
  seed: 1,
  budget: { kind: 'steps', steps: 150 },
};

describe('a spiking student', () => {
  let corpus: Corpus;
  let backend: Backend;
  let teacher: StoredTraining;
  beforeAll(async () => {
    corpus = await openNovel();
    backend = await variants['wasm, relaxed, 2 threads']();
    ({ stored: teacher } = await trainedTransformer(backend, corpus, 150));
  });
  afterAll(() => backend.close());

  const start = (
    distillation: Partial<Distillation> | undefined,
    rest: { readonly resume?: StoredTraining; readonly backend?: Backend } = {},
  ) =>
    createTrainingRun({
      backend,
      corpus,
      settings,
      controls: stableBaseline,
      ...(distillation && {
        distillation: { teacher, weight: 0.5, temperature: 2, ...distillation },
      }),
      ...rest,
    });
  const firstLoss = async (
    distillation: Partial<Distillation> | undefined,
    rest: { readonly backend?: Backend } = {},
  ) => {
    const run = await start(distillation, rest);
    const { losses } = await run.advance(1);
    run.close();
    return losses[0]!;
  };

  it('learns a text from its teacher alone', async () => {
    const run = await start({ weight: 1 });
    await run.advance(150);
    const { loss } = await run.validate();
    run.close();

    expect(loss).toBeLessThan(0.85 * (await unigramEntropy(corpus)));
  });

  it('has a loss that is made of that of the text and that of the teacher by their weights', async () => {
    const [text, both, taught] = await Promise.all(
      [0, 0.3, 1].map((weight) => firstLoss({ weight })),
    );

    expect(text).toBeCloseTo(await firstLoss(undefined), 5);
    expect(Math.abs(text! - taught!)).toBeGreaterThan(0.1);
    expect(both).toBeCloseTo(0.7 * text! + 0.3 * taught!, 5);
  });

  it('gets the same soft targets from its teacher on every backend', async () => {
    const webgpu = await variants['webgpu, register tiles']();
    const losses = await Promise.all(
      [reference, webgpu, backend].map((one) => firstLoss({ weight: 1 }, { backend: one })),
    );
    webgpu.close();

    expect(losses[1]).toBeCloseTo(losses[0]!, 4);
    expect(losses[2]).toBeCloseTo(losses[0]!, 4);
  });

  it('records its teacher and resumes with no other', async () => {
    const run = await start({});
    const { losses } = await run.advance(3);
    run.close();
    const begun = await start({});
    await begun.advance(2);
    const resume = unpackTraining(await begun.checkpoint());
    begun.close();
    const resumed = await start({}, { resume });
    const rest = await resumed.advance(1);
    resumed.close();

    expect(rest.losses[0]).toBe(losses[2]);
    expect(resume.execution.distillation).toEqual({
      teacher: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      weight: 0.5,
      temperature: 2,
    });
    await expect(start({ temperature: 3 }, { resume })).rejects.toThrow(
      'the checkpoint learned with temperature 2, but temperature 3 was given',
    );
    await expect(start(undefined, { resume })).rejects.toThrow(/but no teacher was given/);
  });

  it.each([
    [{ weight: 1.5 }, 'distill_weight is 1.5: expected a number from 0 to 1'],
    [{ temperature: 0 }, 'temperature is 0: expected a positive number'],
  ])('refuses %o', async (distillation, message) => {
    await expect(start(distillation)).rejects.toThrow(message);
  });

  it('refuses a teacher that reads shorter sequences or other characters', async () => {
    const distillation = { teacher, weight: 0.5, temperature: 2 };
    const options = { backend, controls: stableBaseline, distillation };
    const other = await openCorpus(textSource('abc '.repeat(200)));

    await expect(
      createTrainingRun({ ...options, corpus, settings: { ...settings, sequence: 17 } }),
    ).rejects.toThrow('the teacher reads 16 tokens: expected at least seq_len 17');
    await expect(createTrainingRun({ ...options, corpus: other, settings })).rejects.toThrow(
      /^the teacher has 63 characters \(.*, but the student of text has 4 characters \(.*: expected the same$/,
    );
  });
});

describe('a student that is its own teacher', () => {
  it('has nothing to learn', async () => {
    const corpus = await openNovel();
    const backend = await variants['wasm, relaxed, 1 thread']();
    const { stored: teacher } = await trainedTransformer(backend, corpus, 50);
    const distillation = { teacher, weight: 1, temperature: 1 };
    const run = await startTransformer(backend, corpus, { distillation });
    const { norms: before } = await run.advance(1);
    run.setParameters(teacher.values);
    const { norms: after } = await run.advance(1);
    run.close();
    backend.close();

    expect(before[0]).toBeGreaterThan(0.1);
    expect(after[0]).toBeLessThan(1e-4);
  });
});
