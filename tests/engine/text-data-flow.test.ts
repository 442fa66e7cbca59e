import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { unpackModel, unpackTraining } from '../../engine/models/stored-model.ts';
import type { DataFiles } from '../../engine/data/files/data-files.ts';
import { splitCorpus } from '../../engine/data/corpus/corpus.ts';
import { openText } from '../../engine/datasets/text-data.ts';
import { openBlobStore } from '../../engine/data/corpus/token-store.ts';
import { createWindowSampler } from '../../engine/data/corpus/windows.ts';
import type { TextData } from '../../engine/checkpoint/run-data.ts';
import { training as chronospikeFamily } from '../../engine/models/dense-chronospike/training.ts';
import { openLanguageModel } from '../../engine/models/open-model.ts';
import { defaultSampling } from '../../engine/models/language/sampling.ts';
import type { RunOptions } from '../../engine/train/run.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { memorySource, type MemorySource } from './byte-sources.ts';
import { japaneseEncoder } from './japanese-bytes.ts';
import { markedWork, plainWork } from './japanese-work.ts';
import { wasmVariants } from './play.ts';

/*
 * platform.md, rule 10: "Text-training data flow: load corpus, normalize and chunk Japanese corpora, stream
 * bounded chunks, tokenize chunk-wise, build a shift-by-one next-token dataset, train. Memory use stays
 * bounded." Each `it` is one part of the sentence, on one corpus of two works in Shift_JIS and EUC-JP.
 */

const LINES = [400, 150] as const;
const settings: RunSettings = {
  architecture: 'dense_chronospike',
  fields: {
    ...{ d_model: 16, n_heads: 2, num_blocks: 1, time_steps: 2, seq_len: 16 },
    ...{ tokenizer: 'bpe', vocab_size: 400, aozora: true, normalise: 'nfkc' },
  },
  batch: 8,
  learningRate: 0.02,
  seed: 1,
  budget: { kind: 'steps', steps: 60 },
};
const CHUNK_BYTES = 1 << 20;

describe('rule 10: the data flow of text training', () => {
  let sources: MemorySource[];
  let backend: Backend;
  let data: TextData;
  /** Bytes of each append to the store of tokens. */
  const appended: number[] = [];

  beforeAll(async () => {
    sources = (['shift_jis', 'euc-jp'] as const).map((encoding, i) =>
      memorySource(japaneseEncoder(encoding)(markedWork(LINES[i] ?? 0)), `${i}.txt`),
    );
    data = await openText(filesOf(sources), settings, { openStore });
    backend = await wasmVariants['wasm, relaxed, 1 thread']();
  });
  afterAll(async () => {
    await data.close?.();
    backend.close();
  });

  const openStore = async () => {
    const store = await openBlobStore();
    return {
      ...store,
      append: (bytes: Uint8Array<ArrayBuffer>) => {
        appended.push(bytes.length);
        return store.append(bytes);
      },
    };
  };
  const runOn = (text: TextData, rest: Partial<RunOptions> = {}) =>
    chronospikeFamily.createRun({ backend, settings, controls: stableBaseline, ...rest }, text);

  it('loads the corpus, whatever its files are encoded in, and normalises it', async () => {
    const { corpus } = data;
    const text = corpus.tokenizer.decode(await corpus.read(0, corpus.length));

    expect(corpus.encodings).toEqual(['shift_jis', 'euc-jp']);
    expect(text).toBe(LINES.map(plainWork).join(''));
    expect(corpus.preparation).toEqual({ aozora: true, normalise: 'nfkc' });
  });

  it('streams bounded chunks and tokenises them one by one, whatever they make of the text', async () => {
    const { corpus } = data;
    const whole = corpus.tokenizer.encode(LINES.map(plainWork).join(''));

    expect(await corpus.read(0, corpus.length)).toEqual(whole);
    expect(corpus.tokenizer.kind).toBe('bpe');
    expect(corpus.length).toBeLessThan(corpus.characters);
    expect(appended.length).toBeGreaterThan(sources.length);
    for (const bytes of appended) expect(bytes).toBeLessThan(2 * CHUNK_BYTES);
    for (const { reads } of sources) {
      for (const [start, end] of reads) expect(end - start).toBeLessThanOrEqual(CHUNK_BYTES);
    }
  });

  it('builds pairs of a token and the one after it', async () => {
    const shape = { batch: 8, sequence: 16 };
    const { train } = splitCorpus(data.corpus, shape.sequence);
    const sampler = createWindowSampler(data.corpus, train, shape, 1);
    await sampler.load(0);
    const { ids, targets } = sampler.batch(0);

    const tokens = [...(await data.corpus.read(train.start, train.end))];
    const text = tokens.join(' ');
    for (let row = 0; row < shape.batch; row++) {
      const window = [...ids.subarray(row * 16, row * 16 + 16), targets[row * 16 + 15]];
      expect(text).toContain(window.join(' '));
      expect([...targets.subarray(row * 16, row * 16 + 15)]).toEqual(window.slice(1, 16));
    }
  });

  it('trains, stores the tokenizer with the model, resumes bit for bit, and generates Japanese', async () => {
    const whole = await runOn(data);
    const { losses } = await whole.advance(60);
    expect(mean(losses.slice(-5))).toBeLessThan(0.75 * mean(losses.slice(0, 5)));

    const first = await runOn(data);
    await first.advance(25);
    const resume = unpackTraining(await first.checkpoint());
    const again = await openText(filesOf(sources), settings, { base: resume });
    const rest = await runOn(again, { resume });
    expect((await rest.advance(35)).losses).toEqual(losses.slice(25));

    const files = await rest.checkpoint();
    const stored = unpackModel(files);
    expect(stored.spec).toMatchObject({
      vocab_size: data.corpus.tokenizer.size,
      tokenizer: { name: 'bpe', revision: '1' },
    });
    expect(stored.execution.submitted).toMatchObject(settings.fields);
    const model = await openLanguageModel(backend, stored);
    let text = '';
    for await (const piece of model.generate({ prompt: '峠の', tokens: 60, ...defaultSampling })) {
      text += piece;
    }
    expect(text).toMatch(/[ぁ-ゟ一-鿿]{4}/);
    for (const run of [whole, first, rest, model]) run.close();
  });

  it('resumes only with the text as it was read and the tokenizer as it was', async () => {
    const run = await runOn(data);
    const resume = unpackTraining(await run.checkpoint());
    run.close();
    const fields = { ...settings.fields, normalise: 'nfc' };
    const options = { base: resume };
    const other = await openText(filesOf(sources), { fields }, options);
    const wider = await openText(filesOf(sources), {
      fields: { ...settings.fields, vocab_size: 420 },
    });

    await expect(runOn(other, { resume })).rejects.toMatchObject({
      code: 'checkpoint-mismatch',
      message: 'the checkpoint read its text with normalise nfkc, the settings ask for nfc',
    });
    await expect(runOn(wider, { resume })).rejects.toMatchObject({
      code: 'checkpoint-mismatch',
      message: 'the checkpoint has vocab_size 400, the settings ask for 420',
    });
  });

  it('takes a tokenizer that is given, of the kind that the settings say', async () => {
    const { tokenizer } = data.corpus;
    const given = await openText(filesOf(sources), settings, { tokenizer });
    expect(given.corpus.tokenizer).toBe(tokenizer);
    expect(given.shape).toEqual({ vocabulary: 400 });

    await expect(openText(filesOf(sources), { fields: {} }, { tokenizer })).rejects.toMatchObject({
      code: 'invalid-setting',
      message: expect.stringContaining('tokenizer is character: expected bpe'),
    });
  });

  it('measures the loss in nats a character, so that models of other tokens can be compared', async () => {
    const run = await runOn(data);
    await run.advance(20);
    const { loss, figures } = await run.validate();
    run.close();

    const { corpus } = data;
    const { validation } = splitCorpus(corpus, 16);
    const tail = corpus.tokenizer.decode(await corpus.read(validation.start, validation.end));
    const ratio = (validation.end - validation.start) / [...tail].length;
    expect(figures?.['loss_per_character']).toBeCloseTo(loss * ratio, 1);
  });
});

function filesOf(sources: readonly MemorySource[]): DataFiles {
  return {
    name: 'works',
    files: sources.map((source) => ({
      path: source.name,
      size: source.size,
      open: () => Promise.resolve(source),
    })),
    close: () => Promise.resolve(),
  };
}

function mean(values: Float32Array): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}
