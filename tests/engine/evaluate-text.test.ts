import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { modelOf, unpackModel } from '../../engine/models/stored-model.ts';
import type { CheckpointFiles } from '../../engine/checkpoint/files.ts';
import { createBpeTokenizer } from '../../engine/data/tokenizers/bpe-tokenizer.ts';
import { trainBpe } from '../../engine/data/tokenizers/train-bpe.ts';
import { singleFile } from '../../engine/data/files/data-files.ts';
import type { EvaluationChoice } from '../../engine/evaluation/evaluator.ts';
import { openEvaluation } from '../../engine/models/open-evaluation.ts';
import { parseReport } from '../../engine/evaluation/report.ts';
import { scoreRows } from '../../engine/evaluation/score-rows.ts';
import {
  evaluateStream,
  type JudgedText,
  type StreamScorer,
} from '../../engine/evaluation/text-evaluator.ts';
import { sizeOfTokens, tokenSizes } from '../../engine/evaluation/text-meter.ts';
import { openStreamScorer } from '../../engine/models/dense-chronospike/evaluation.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { createTrainingRun } from '../../engine/models/dense-chronospike/training.ts';
import { memorySource, textSource } from './byte-sources.ts';
import { countingCorpus } from './counting-corpus.ts';
import { NOVEL, openNovel } from './novel.ts';
import { variants } from './play.ts';
import { storedFiles } from './stored-model.ts';

const novel = singleFile(memorySource(readFileSync(NOVEL), 'chapter_1.txt'));
const validation: EvaluationChoice = { split: 'validation', streams: 1 };

describe.each(['wasm, relaxed, 1 thread', 'webgpu, register tiles'] as const)('on %s', (device) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await variants[device]();
  });
  afterAll(() => backend.close());

  it('a stream gives a text of one window the loss and the spikes of that window', async () => {
    // The stored model reads windows of 16 tokens.
    const data = singleFile(textSource('aé日\u{1F600} a a\né日 日aé\u{1F600} '));
    const open = (choice: Partial<EvaluationChoice>) =>
      openEvaluation(storedFiles, {
        ...{ backend, data },
        choice: { split: 'all', streams: 1, ...choice },
      });
    const [stream, windows] = [await open({}), await open({ windows: 1 })];
    const [carried, whole] = [await stream.evaluator.run({}), await windows.evaluator.run({})];

    expect(stream.evaluator.total).toBe(16);
    expect(carried.findings.language).toMatchObject({ form: 'stream', tokens: 16, bytes: 31 });
    expect(carried.findings.language?.nats_per_token).toBeCloseTo(
      whole.findings.language!.nats_per_token,
      4,
    );
    // The batch of four holds the window four times.
    expect(whole.findings.spikes?.total).toBe(4 * carried.findings.spikes!.total);
    expect(whole.findings.spikes?.per_unit).toBe(carried.findings.spikes!.per_unit);
    expect(carried.findings.spikes?.layers.map(({ name }) => name)).toContain('blocks.1.qkv');
    stream.evaluator.close();
    windows.evaluator.close();
  });
});

describe('a trained model', () => {
  const settings = {
    ...{ width: 16, heads: 2, blocks: 1, steps: 2, sequence: 16, batch: 8, seed: 1 },
    learningRate: 0.02,
    budget: { kind: 'steps', steps: 60 },
  } as const;
  let backend: Backend;
  let files: CheckpointFiles;
  let loss: number;
  beforeAll(async () => {
    backend = await variants['wasm, relaxed, 1 thread']();
    const corpus = await openNovel();
    const run = await createTrainingRun({ backend, corpus, settings, controls: stableBaseline });
    await run.advance(60);
    ({ loss } = await run.validate());
    files = await run.checkpoint();
    run.close();
  });
  afterAll(() => backend.close());

  const evaluate = async (choice: EvaluationChoice, signal?: AbortSignal) => {
    const { evaluator, report } = await openEvaluation(files, { backend, data: novel, choice });
    const evaluated = await evaluator.run({ ...(signal && { signal }) });
    evaluator.close();
    const frame = { name: 'run', createdAt: '2026-11-21T00:00:00Z', processPeak: null };
    return report(evaluated, frame);
  };

  it('has in windows the loss of its validation', async () => {
    const { language, memory } = await evaluate({ ...validation, windows: 256 });

    expect(language?.nats_per_token).toBeCloseTo(loss, 5);
    expect(language).toMatchObject({ form: 'windows', window: 16, rows: 8 });
    // Loss falls with context: every position up to 4 is a bin of its own.
    expect(language?.positions.map(({ first }) => first)).toEqual([
      1, 2, 3, 4, 5, 6, 8, 9, 11, 13, 16,
    ]);
    expect(language?.positions[0]?.nats_per_token).toBeGreaterThan(language!.nats_per_token);
    expect(memory.arena).toBeGreaterThan(0);
  });

  it('reads the whole held-out part in a stream, and says what stands in a report', async () => {
    const report = await evaluate(validation);
    const { language, spikes, energy } = report;

    // The last tenth of 12,208 characters.
    expect(report).toMatchObject({ status: 'complete', done: 1221, total: 1221, unit: 'token' });
    expect(report.data).toMatchObject({ first: 10_987, end: 12_208, split: 'validation' });
    expect(report.model).toMatchObject({ architecture: 'dense_chronospike' });
    expect(language!.nats_per_character).toBeCloseTo(loss, 0);
    expect(language!.perplexity).toBeCloseTo(Math.exp(language!.nats_per_token), 10);
    expect(language!.interval.low).toBeLessThan(language!.nats_per_character);
    expect(language!.interval.high).toBeGreaterThan(language!.nats_per_character);
    expect(language!.positions.at(-1)?.last).toBe(1221);
    expect(spikes!.per_unit).toBeCloseTo(spikes!.rate * spikes!.neurons * spikes!.time_steps, 6);
    expect(energy!.compute_pj).toBeGreaterThan(0.9 * energy!.synaptic_ops);
    expect(energy!.with_memory_pj).toBeGreaterThan(energy!.compute_pj);
    // Two time steps: (4.6 + 50) / (2 * (0.9 + 150)).
    expect(energy!.break_even_rate).toBeCloseTo(0.181, 3);
    expect(parseReport('report.json', JSON.stringify(report))).toEqual(report);
  });

  it('says the same in several streams, each begun early', async () => {
    const [one, three] = [
      await evaluate(validation),
      await evaluate({ ...validation, streams: 3 }),
    ];

    expect(three.language).toMatchObject({ rows: 3, tokens: 1221 });
    // Each stream begins 8 x 16 tokens early: what is left of before is a part in three thousand.
    expect(three.language!.nats_per_token).toBeCloseTo(one.language!.nats_per_token, 2);
    expect(three.language!.positions).toHaveLength(one.language!.positions.length);
  });

  it('gives a partial report when it is interrupted', async () => {
    const stop = new AbortController();
    const { evaluator, report } = await openEvaluation(files, {
      ...{ backend, data: novel },
      choice: validation,
    });
    const evaluated = await evaluator.run({
      signal: stop.signal,
      onProgress: (done) => done >= 512 && stop.abort(),
    });
    const frame = { name: 'run', createdAt: '2026-11-21T00:00:00Z', processPeak: null };

    expect(report(evaluated, frame)).toMatchObject({ status: 'partial', done: 512, total: 1221 });
    evaluator.close();
  });

  it.each<[string, Partial<EvaluationChoice>, RegExp]>([
    ['more streams than it holds', { streams: 1e8 }, /streams is 100000000: .* from 1 to 1024/],
    ['no stream', { streams: 0 }, /streams is 0: expected a whole number of at least 1/],
    ['half a window', { windows: 0.5 }, /windows is 0\.5: expected a whole number/],
  ])('refuses %s', async (_, choice, message) => {
    await expect(evaluate({ ...validation, ...choice })).rejects.toThrow(message);
  });

  it('refuses another alphabet, and a text of one character', async () => {
    const open = (text: string, choice = validation) =>
      openEvaluation(files, { backend, data: singleFile(textSource(text)), choice });

    await expect(open('日本')).rejects.toThrow(
      'text has 0 tokens, and 2 characters that the model does not know: expected',
    );
    await expect(open('a', { ...validation, split: 'all' })).rejects.toThrow(
      'text has 1 tokens: expected at least one to predict and one before it',
    );
  });
});

describe('a stream scorer', () => {
  it('reads parts that end at different places as if each were alone', async () => {
    const backend = await variants['wasm, relaxed, 1 thread']();
    const stored = modelOf(unpackModel(storedFiles), 'dense_chronospike');
    const scorer = await openStreamScorer(backend, stored, 2);
    const alone = await scorer.read([{ slot: 1, token: 3 }]).then((logits) => logits.slice());
    scorer.clear(1);
    await scorer.read([{ slot: 0, token: 2 }]);
    const beside = await scorer.read([
      { slot: 0, token: 4 },
      { slot: 1, token: 3 },
    ]);

    expect(alone).toHaveLength(6);
    expect(beside.subarray(6)).toEqual(alone);
    scorer.close();
    backend.close();
  });

  it('is given every token of a text once, in its order, with the one before it', async () => {
    const read: number[][] = [[], [], []];
    const scorer: StreamScorer = {
      ...{ slots: 3, vocabulary: 1000, memoryTokens: 2 },
      clear: () => undefined,
      async read(reads) {
        for (const { slot, token } of reads) read[slot]!.push(token);
        // Sure that the next token is one more.
        const logits = new Float32Array(reads.length * 1000);
        for (const [row, { token }] of reads.entries()) logits[row * 1000 + token + 1] = 100;
        return logits;
      },
    };
    const text: JudgedText = {
      corpus: countingCorpus(1000),
      range: { start: 100, end: 999 },
      sizes: tokenSizes({ size: 1000, bytesOf: () => Uint8Array.of(0x61) }),
    };

    const { findings } = await evaluateStream(scorer, text);

    // Tokens of the corpus are their places: parts of 299, 300 and 300, two begun two tokens early.
    expect(read.map(([first]) => first)).toEqual([99, 396, 696]);
    expect(read.map((tokens) => tokens.at(-1))).toEqual([397, 697, 997]);
    expect(findings.language).toMatchObject({ tokens: 899, accuracy: 1 });
    expect(findings.language!.nats_per_token).toBeLessThan(1e-6);
  });
});

describe('scores of rows', () => {
  it('are softmax, the loss of the target and the likeliest answer', () => {
    const rows = Float32Array.of(0, Math.log(3), 1000, 1000);
    const { losses, confidences, answers } = scoreRows(rows, [0, 1], 2);

    expect(losses[0]).toBeCloseTo(Math.log(4), 6);
    expect(losses[1]).toBeCloseTo(Math.LN2, 6);
    expect([...confidences]).toEqual([expect.closeTo(0.75, 6), 0.5]);
    expect([...answers]).toEqual([1, 0]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuse %d', (score) => {
    expect(() => scoreRows(Float32Array.of(1, score), [0], 2)).toThrow(/no softmax/);
  });
});

describe('the size of tokens', () => {
  it('is that of their text, however the tokens cut its characters', async () => {
    const text = '吾輩は猫である。名前はまだ無い。naïve \u{1F600} '.repeat(3);
    const model = await trainBpe([text], { vocabulary: 270 });
    const tokenizer = createBpeTokenizer(model);

    expect(sizeOfTokens(tokenizer.encode(text), tokenSizes(tokenizer))).toEqual({
      characters: [...text].length,
      bytes: new TextEncoder().encode(text).length,
    });
  });
});

describe('a stored report', () => {
  it.each<[string, string, RegExp]>([
    ['text', 'loss 1.5', /report\.json is no evaluation report: it is not JSON/],
    ['other JSON', '{"step": 3}', /is no evaluation report: evaluation_report_version: /],
  ])('is not %s', (_, text, message) => {
    expect(() => parseReport('report.json', text)).toThrow(
      expect.objectContaining({ code: 'report-invalid', message: expect.stringMatching(message) }),
    );
  });
});
