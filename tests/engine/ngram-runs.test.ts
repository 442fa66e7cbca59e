import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelOf, unpackModel, unpackTraining } from '../../engine/models/stored-model.ts';
import type { CheckpointFiles } from '../../engine/checkpoint/files.ts';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import { singleFile } from '../../engine/data/files/data-files.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import type { Architecture } from '../../engine/models/architectures.ts';
import { structureDifferences } from '../../engine/models/base-structure.ts';
import { families } from '../../engine/models/families.ts';
import { convertTransformer } from '../../engine/models/standard-transformer/conversion.ts';
import { loadFamily } from '../../engine/models/load-family.ts';
import { openBatchedModel, openLanguageModel } from '../../engine/models/open-model.ts';
import { openEvaluation } from '../../engine/models/open-evaluation.ts';
import { planPrograms } from '../../engine/train/plan-programs.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import type { Fields } from '../../engine/settings/fields.ts';
import type { TrainingRun } from '../../engine/models/family.ts';
import { memorySource } from './byte-sources.ts';
import { NOVEL, openNovel } from './novel.ts';
import { variants } from './play.ts';

const novel = singleFile(memorySource(readFileSync(NOVEL), 'chapter_1.txt'));
const small = { d_model: 16, num_blocks: 1, seq_len: 16, ngram_order: 4 };
const kinds: readonly (readonly [Architecture, Fields])[] = [
  ['dense_chronospike', { ...small, n_heads: 2, time_steps: 2 }],
  ['dense_chronospike', { ...small, n_heads: 2, time_steps: 2, carry: true }],
  ['standard_transformer', { ...small, n_heads: 2 }],
  ['sparse_event_memory', { ...small, density: 0.5, codebook_rank: 8, negatives: 4 }],
];
const STEPS = 80;
const equally = { weight: 0.5, temperature: 2 };
const controls = { ...stableBaseline, warmupFraction: 0 };

/** A run on the novel. */
async function startRun(
  backend: Backend,
  corpus: Corpus,
  {
    architecture,
    fields,
    resume,
    teacher,
  }: {
    readonly architecture: Architecture;
    readonly fields: Fields;
    readonly resume?: CheckpointFiles;
    readonly teacher?: CheckpointFiles;
  },
): Promise<TrainingRun> {
  const family = await loadFamily(architecture);
  const settings = {
    ...{ architecture, fields, batch: 4, learningRate: 0.004, seed: 1 },
    budget: { kind: 'steps', steps: STEPS },
  } as const;
  const { tokenizer } = corpus;
  const data = {
    ...{ name: corpus.name, digest: corpus.digest, length: corpus.length, corpus },
    shape: { vocabulary: tokenizer.size },
  };
  const options = {
    backend,
    settings,
    controls,
    ...(resume && { resume: unpackTraining(resume) }),
    ...(teacher && { distillation: { ...equally, teacher: unpackModel(teacher) } }),
  };
  return family.createRun(options, data);
}

const written = async (pieces: AsyncIterable<string>) => {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
};
const request = { prompt: 'The ', tokens: 12, temperature: 0, topK: 0, topP: 1, seed: 1 };

describe.each(kinds)('%s with n-gram tables, %j,', (architecture, fields) => {
  let backend: Backend;
  let corpus: Corpus;
  let files: CheckpointFiles;
  let run: TrainingRun;
  beforeAll(async () => {
    backend = await variants['wasm, relaxed, 1 thread']();
    corpus = await openNovel();
    run = await startRun(backend, corpus, { architecture, fields });
  });
  afterAll(() => {
    run.close();
    backend.close();
  });

  it('begins at the loss of the tables, and is stored with them', async () => {
    const first = await run.validate();
    await run.advance(STEPS);
    const last = await run.validate();
    files = await run.checkpoint();

    const alone = first.figures?.['tables_loss'] ?? 0;
    expect(alone).toBeLessThan(2.6);
    expect(Math.abs(first.loss - alone)).toBeLessThan(0.03);
    expect(last.loss).toBeLessThan(first.loss);
    expect(last.figures?.['tables_loss']).toBe(alone);
    expect(unpackModel(files).spec).toMatchObject({ ngrams: { order: 4 } });
  });

  it('resumes to the same bits', async () => {
    const half = await startRun(backend, corpus, { architecture, fields });
    await half.advance(STEPS / 2);
    const resume = await half.checkpoint();
    half.close();
    const resumed = await startRun(backend, corpus, { architecture, fields, resume });
    await resumed.advance(STEPS / 2);

    expect(await resumed.parameters()).toEqual(await run.parameters());
    resumed.close();
    const without = { architecture, fields: { ...fields, ngram_order: 2 }, resume };
    await expect(startRun(backend, corpus, without)).rejects.toThrow(
      'the checkpoint has ngram_order 4, the settings ask for 2',
    );
  });

  it('has the loss of its validation when it is evaluated', async () => {
    const { loss } = await run.validate();
    const choice = { split: 'validation', streams: 1, windows: 256 } as const;
    const { evaluator } = await openEvaluation(files, { backend, data: novel, choice });
    const { findings } = await evaluator.run({});
    evaluator.close();

    expect(findings.language?.nats_per_token).toBeCloseTo(loss, 4);
  });

  it('has in a stream at least what it has in windows', async () => {
    const { loss } = await run.validate();
    const choice = { split: 'validation', streams: 4 } as const;
    const { evaluator } = await openEvaluation(files, { backend, data: novel, choice });
    const { findings } = await evaluator.run({});
    evaluator.close();

    // Whatever a window lacks in front of it, a stream knows.
    expect(findings.language?.nats_per_token).toBeLessThan(loss + 0.02);
  });

  it('writes the same text in its run, alone and beside others', async () => {
    const stored = unpackModel(files);
    const expected = await written(run.generator!.generate(request));
    const alone = await openLanguageModel(backend, stored);
    expect(await written(alone.generate(request))).toBe(expected);
    alone.close();

    const batched = await openBatchedModel(backend, stored, { slots: 2 });
    const [token = 0, ...others] = corpus.tokenizer.encode(request.prompt);
    batched.pass([{ slot: 1, token }]);
    for (const next of others.slice(0, -1)) batched.pass([{ slot: 1, token: next }]);
    let logits = await batched.read([{ slot: 1, token: others.at(-1) ?? token }]);
    const ids: number[] = [];
    for (let i = 0; i < request.tokens; i++) {
      ids.push(logits.indexOf(Math.max(...logits)));
      if (i % 2 === 0) logits = await batched.read([{ slot: 1, token: ids.at(-1) ?? 0 }]);
      else ({ logits } = await batched.observe({ slot: 1, token: ids.at(-1) ?? 0 }));
    }
    const decoder = corpus.tokenizer.openDecoder();
    expect(decoder.push(ids)).toBe(expected);
    batched.close();
  });

  it('plans the memory of its tables', () => {
    const asked = { ...{ architecture, fields, batch: 4, learningRate: 0.004, seed: 1 } };
    const settings = { ...asked, budget: { kind: 'steps', steps: STEPS } } as const;
    const shape = { vocabulary: corpus.tokenizer.size };
    const plan = families[architecture].plan(settings, controls, shape);

    expect(plan).toEqual(planPrograms(run.layout, run.programs));
  });

  it('is another structure than a model without', () => {
    const { spec } = unpackModel(files);
    const differences = structureDifferences(
      { ...spec },
      { architecture, fields: { ngram_order: 0 } },
    );

    expect(differences).toMatchObject([{ field: 'ngram_order', held: 4, asked: 0 }]);
  });
});

describe('a float transformer with n-gram tables', () => {
  const fields = { ...small, n_heads: 2 };
  let backend: Backend;
  let corpus: Corpus;
  let run: TrainingRun;
  let files: CheckpointFiles;
  beforeAll(async () => {
    backend = await variants['wasm, relaxed, 1 thread']();
    corpus = await openNovel();
    run = await startRun(backend, corpus, { architecture: 'standard_transformer', fields });
    await run.advance(STEPS);
    files = await run.checkpoint();
  });
  afterAll(() => {
    run.close();
    backend.close();
  });

  it('teaches a student with the same tables, and no other', async () => {
    const student = { ...fields, time_steps: 2 };
    const asked = { architecture: 'dense_chronospike', teacher: files } as const;
    const taught = await startRun(backend, corpus, { ...asked, fields: student });
    const { losses } = await taught.advance(STEPS);
    const last = await taught.validate();
    taught.close();

    expect(losses.every(Number.isFinite)).toBe(true);
    expect(last.loss).toBeLessThan(last.figures?.['tables_loss'] ?? 0);
    await expect(
      startRun(backend, corpus, { ...asked, fields: { ...student, ngram_order: 2 } }),
    ).rejects.toThrow(/the teacher has n-gram tables with ngram_order 4 .* ngram_order 2/);
  });

  it('is converted to spikes with its tables', async () => {
    const stored = modelOf(unpackModel(files), 'standard_transformer');
    const { loss } = await convertTransformer(backend, stored, corpus, {
      timeSteps: [],
      windows: 64,
    });
    const validated = await run.validate();

    expect(Math.abs(loss - validated.loss)).toBeLessThan(0.1);
  });
});
