import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { decodePng } from '../../engine/data/images/png.ts';
import { decodeWav } from '../../engine/data/audio/wav.ts';
import { prefixInputsOf } from '../../engine/models/captioning/prefix-inputs.ts';
import { reading as chronospike } from '../../engine/models/dense-chronospike/reading.ts';
import { families } from '../../engine/models/families.ts';
import { codebooksOf } from '../../engine/models/memoried-spikenetlm/codebooks.ts';
import { memoriedSettings } from '../../engine/models/memoried-spikenetlm/structure.ts';
import {
  createStreamGatherer,
  streamsOf,
} from '../../engine/models/memoried-spikenetlm/streams.ts';
import {
  type StreamData,
  training as memoriedFamily,
} from '../../engine/models/memoried-spikenetlm/training.ts';
import { unigramFloor } from '../../engine/models/memoried-spikenetlm/answers.ts';
import { openEvaluation } from '../../engine/models/open-evaluation.ts';
import { openBatchedModel, openLanguageModel } from '../../engine/models/open-model.ts';
import { modelOf, unpackModel, unpackTraining } from '../../engine/models/stored-model.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import type { RunOptions, TrainingRun } from '../../engine/train/run.ts';
import { colouredPng, dataFiles, jsonLines, toneWav } from './captioned-files.ts';
import { variants } from './play.ts';
import { storedFiles, storedTraining } from './stored-model.ts';

/** Pictures of 32 x 32 pixels in four patches, and captions of at most five characters with their end. */
const settings: RunSettings = {
  architecture: 'memoried_spikenetlm',
  fields: {
    d_model: 48,
    num_blocks: 1,
    caption_seq_len: 5,
    image_patch: 16,
    image_codes: 12,
    density: 0.1,
    codebook_rank: 32,
    adapter_rank: 4,
  },
  batch: 6,
  learningRate: 0.02,
  seed: 1,
  budget: { kind: 'steps', steps: 120 },
};

const COLOURS = { red: [230, 20, 20], green: [20, 230, 20], blue: [20, 20, 230] } as const;
const colours = Object.keys(COLOURS) as (keyof typeof COLOURS)[];

const greedy = { temperature: 0, topK: 0, topP: 1, seed: 1 } as const;

/** Pictures of three colours in eight shades, each a group of its own. */
function colouredFiles(groupOf = (colour: string) => `${colour}s`) {
  const pairs = colours.flatMap((caption) =>
    Array.from({ length: 8 }, (_, shade) => {
      const image = `${caption}-${shade}.png`;
      const split = shade % 4 === 2 ? 'test' : 'train';
      return {
        picture: [image, colouredPng(COLOURS[caption], shade / 2)] as const,
        line: { image, caption, group: groupOf(caption), split },
      };
    }),
  );
  const lines = jsonLines(pairs.map(({ line }) => line));
  const pictures = pairs.map(({ picture }) => picture);
  return dataFiles({ 'captions.jsonl': lines, ...Object.fromEntries(pictures) });
}

describe('memoried_spikenetlm as a family', () => {
  let backend: Backend;
  let data: StreamData;
  let run: TrainingRun;
  let losses: Float32Array;
  const start = (rest: Partial<RunOptions> = {}, from = data) =>
    memoriedFamily.createRun({ backend, settings, controls: stableBaseline, ...rest }, from);
  beforeAll(async () => {
    backend = await variants['wasm, relaxed, 1 thread']();
    data = await memoriedFamily.openData(colouredFiles(), settings);
    run = await start();
    ({ losses } = await run.advance(120));
  });
  afterAll(() => {
    run.close();
    backend.close();
  });

  it('costs less than token frequencies on pairs it never saw, in each modality', async () => {
    const { loss, figures, layers } = await run.validate();

    expect(losses[0]).toBeGreaterThan(2);
    expect(loss).toBeLessThan(figures!['unigram_loss']! / 2);
    expect(figures!['text_loss']).toBeLessThan(figures!['text_unigram']! / 2);
    expect(figures!['image_loss']).toBeLessThan(figures!['image_unigram']!);
    expect(figures).toMatchObject({ class_accuracy: 1, class_majority: 1 / 3 });
    expect(figures).not.toHaveProperty('audio_loss');
    expect(layers.map(({ name }) => name)).toEqual(['blocks.0.neurons']);
    expect(layers[0]!.rate).toBeGreaterThan(0);
  });

  it('reads a pair as its caption between marks and the codes of its picture', () => {
    const { structure } = memoriedSettings(settings, data.shape);
    const streams = streamsOf(data, structure);
    const characters = (ids: Uint32Array) => data.tokenizer.decode(ids);

    // "green" and its end are six tokens, of which five are kept.
    expect(characters(streams[0]!.ids.subarray(0, 5))).toBe('\nred\n');
    expect(characters(streams[8]!.ids.subarray(0, 6))).toBe('\ngreen');
    const { length } = streams[8]!.ids;
    expect(length).toBe(6 + 4);
    const [first, ...others] = streams[8]!.ids.subarray(6);
    // A picture of one colour is one code, behind those of the text.
    expect(first).toBeGreaterThanOrEqual(data.tokenizer.size);
    expect(others).toEqual([first, first, first]);
    expect([...streams[8]!.modalities]).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);

    const { ids, targets, mask, weights, classes } = createStreamGatherer(
      streams,
      structure,
      2,
    ).vary([0, 8]);
    expect([...mask]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect([...ids.subarray(0, 9)]).toEqual([...streams[0]!.ids.subarray(0, 8), 0]);
    expect([...targets.subarray(0, 9)]).toEqual([...streams[0]!.ids.subarray(1), 0]);
    // blues, greens, reds
    expect([...classes]).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(18, 5);
    expect(weights[8]).toBe(0);
  });

  it('holds itself against frequencies with one added to each count', () => {
    const { structure } = memoriedSettings(settings, { vocabulary: 2, images: 1 });
    const packed = (...ids: number[]) => ({
      ids: Uint32Array.from(ids),
      modalities: new Uint32Array(ids.length),
    });

    // Text has the tokens 0 and 1, images twelve from 2 on; the first of a stream is not predicted.
    const { mixed, of } = unigramFloor(structure, {
      counted: [packed(0, 1, 1, 2)],
      asked: [packed(1, 1, 3)],
    });

    // 3 predicted tokens and 15 in the vocabulary: text, image and one of audio.
    expect(mixed).toBeCloseTo((Math.log(18 / 3) + Math.log(18)) / 2, 12);
    expect(of.text).toBeCloseTo(Math.log(4 / 3), 12);
    expect(of.image).toBeCloseTo(Math.log(13), 12);
    expect(of.audio).toBeNaN();
  });

  it('resumes from a checkpoint as if it had never stopped', async () => {
    const stopped = await start();
    await stopped.advance(7);
    const files = await stopped.checkpoint();
    stopped.close();

    const base = unpackTraining(files);
    const again = await memoriedFamily.openData(colouredFiles(), settings, { base });
    const resumed = await start({ resume: base }, again);
    const next = await resumed.advance(8);
    const straight = await start();
    await straight.advance(15);

    expect([...next.losses]).toEqual([...losses.subarray(7, 15)]);
    expect(await resumed.parameters()).toEqual(await straight.parameters());
    resumed.close();
    straight.close();
  });

  it('stores what its codes stand for, and refuses another by its digest', async () => {
    const stored = modelOf(unpackModel(await run.checkpoint()), 'memoried_spikenetlm');

    expect(codebooksOf(stored)).toEqual(data.codebooks);
    expect(stored.spec.core.labels).toEqual(['blues', 'greens', 'reds']);
    const { image } = stored.spec.core;
    const core = { ...stored.spec.core, image: { ...image!, codebook_sha256: 'abc' } };
    expect(() => codebooksOf({ ...stored, spec: { ...stored.spec, core } })).toThrow(
      `image.centroids has the sha256 ${image!.codebook_sha256}, model_spec.json names abc`,
    );
  });

  it('is judged as it was validated, and by modality', async () => {
    const { loss, figures } = await run.validate();

    const { evaluator, report } = await openEvaluation(await run.checkpoint(), {
      ...{ backend, data: colouredFiles() },
      choice: { split: 'validation', streams: 1 },
    });
    const evaluated = await evaluator.run({});
    const { unit, done, streams } = report(evaluated, {
      ...{ name: 'run', createdAt: '2026-11-22T00:00:00Z', processPeak: null },
    });
    evaluator.close();

    expect({ unit, done }).toEqual({ unit: 'caption', done: 6 });
    expect(streams).toMatchObject({ nats_per_token: loss, class_accuracy: 1 });
    expect(streams!.parts).toMatchObject([
      { modality: 'text', tokens: 28, nats_per_token: figures!['text_loss'] },
      { modality: 'image', tokens: 24, unigram_nats_per_token: figures!['image_unigram'] },
    ]);
  });

  it('knows only the groups that it learned', async () => {
    const base = unpackModel(await run.checkpoint());
    const other = colouredFiles((colour) => colour.toUpperCase());
    const opened = await memoriedFamily.openData(other, settings, { base });

    await expect(start({}, opened)).rejects.toThrow(
      'the group is RED: expected one of blues, greens, reds',
    );
  });

  it('reads sounds in codes, too, and learns where no line says a group', async () => {
    const lines = Array.from({ length: 12 }, (_, i) => {
      const caption = i % 2 ? 'low' : 'high';
      return { audio: `${i}.wav`, caption, split: i < 10 ? 'train' : 'test' };
    });
    const clips = lines.map(({ audio, caption }, i) => {
      return [audio, toneWav((caption === 'low' ? 200 : 2200) + i, 900)] as const;
    });
    const files = { 'captions.jsonl': jsonLines(lines), ...Object.fromEntries(clips) };
    // One code for each tone: how its frames differ is noise.
    const two = { ...settings, fields: { ...settings.fields, audio_codes: 2 } };
    const heard = await memoriedFamily.openData(dataFiles(files), two);
    const listening = await start({ settings: two }, heard);
    await listening.advance(40);
    const { figures } = await listening.validate();
    const { spec } = modelOf(unpackModel(await listening.checkpoint()), 'memoried_spikenetlm');
    listening.close();

    await expect(
      openEvaluation(await run.checkpoint(), {
        ...{ backend, data: dataFiles(files) },
        choice: { split: 'validation', streams: 1 },
      }),
    ).rejects.toThrow('there are no pictures: the model reads them in its streams');
    expect(heard.shape).toMatchObject({ images: 0, sounds: 1, classes: 1 });
    expect(figures!['audio_loss']).toBeLessThan(figures!['audio_unigram']!);
    expect(figures).not.toHaveProperty('class_accuracy');
    expect(spec.core).toMatchObject({ audio: { codes: 2 }, labels: [] });
  });

  it('rule 11: takes its own fields and no others', () => {
    const check = (fields: RunSettings['fields']) =>
      families.memoried_spikenetlm.check({ ...settings, fields });

    check(settings.fields);
    for (const name of ['seq_len', 'tokenizer', 'n_heads', 'resume']) {
      expect(() => check({ [name]: 1 })).toThrow(`memoried_spikenetlm has no field ${name}`);
    }
    expect(() => check({ image_patch: 5 })).toThrow(
      'memoried_spikenetlm: pictures of 32 x 32 do not split into patches of 5 x 5',
    );
  });

  it('plans what its run then takes', () => {
    const plan = families.memoried_spikenetlm.plan(settings, stableBaseline, data.shape);

    expect(plan.parameters).toBe(run.layout.count);
    expect(plan.breakdown.parameters).toBe(run.layout.blockBytes);
  });

  it('refuses models of other families, and is refused by them', async () => {
    const own = unpackModel(await run.checkpoint());
    const text = unpackModel(storedFiles);

    await expect(
      memoriedFamily.openData(colouredFiles(), settings, { base: text }),
    ).rejects.toThrow(
      'the checkpoint holds a dense_chronospike model (SpikingEvoTextLM), not a memoried_spikenetlm one',
    );
    await expect(start({ resume: storedTraining() })).rejects.toThrow(
      'not a memoried_spikenetlm one: families do not share parameters',
    );
    await expect(chronospike.openLanguage!(backend, own, {})).rejects.toThrow(
      'the checkpoint holds a memoried_spikenetlm model (MemoriedSpikeNetLM), not a dense_chronospike one',
    );
  });

  it('writes with a memory that chunks carry: their length changes nothing, what they held does', async () => {
    const stored = unpackModel(await run.checkpoint());
    const written = async (prompt: string, chunk: number) => {
      const model = await openLanguageModel(backend, stored, { chunk });
      let text = '';
      for await (const piece of model.generate({ prompt, tokens: 4, ...greedy })) text += piece;
      model.close();
      return text;
    };

    // The last chunk is "e" each time.
    expect(await written('re', 1)).toBe('d');
    expect(await written('gre', 1)).toBe('ed');
    for (const chunk of [2, 3, 32]) {
      expect(await written('re', chunk)).toBe('d');
      expect(await written('gre', chunk)).toBe('ed');
    }
    await expect(openLanguageModel(backend, stored, { chunk: 0 })).rejects.toThrow(
      'chunk is 0: expected a whole number of tokens from 1 to 4096',
    );
  });

  it('remembers an image in front of its text, and predicts its class', async () => {
    const stored = unpackModel(await run.checkpoint());
    const { spec } = modelOf(stored, 'memoried_spikenetlm');
    const model = await openBatchedModel(backend, stored, { slots: 2 });
    const [mark] = stored.tokenizer!.encode('\n');
    const seen = async (colour: keyof typeof COLOURS, slot: number) => {
      const picture = decodePng('x', colouredPng(COLOURS[colour], 1));
      model.clear(slot);
      const tokens = await model.prime!(slot, prefixInputsOf(spec, { picture }));
      const scores = [...(await model.classScores!(slot))];
      const logits = await model.read([{ slot, token: mark! }]);
      return { tokens, logits, group: spec.core.labels[scores.indexOf(Math.max(...scores))] };
    };

    for (const colour of ['red', 'green'] as const) {
      const first = await seen(colour, 0);
      // The mark that begins a stream, and a code for each of four patches.
      expect(first).toMatchObject({ tokens: 5, group: `${colour}s` });
      // A slot forgets all when it is cleared, and knows nothing of the others.
      expect(await seen(colour, 1)).toEqual(first);
    }
    expect((await seen('red', 0)).logits).not.toEqual((await seen('blue', 0)).logits);
    const counts = await model.spikeCounts();
    const { total, rate } = model.useOf(counts.subarray(0, 1), 1, 5);
    expect(rate).toBeCloseTo(total / (48 * 6), 9);
    expect(total).toBeGreaterThan(0);
    model.close();
    expect(() => prefixInputsOf(spec, { sound: decodeWav('x', toneWav(800, 300)) })).toThrow(
      'a sound was given: the model learned captions without one',
    );
  });
});
