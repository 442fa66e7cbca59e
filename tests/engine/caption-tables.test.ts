import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodePng } from '../../engine/data/images/png.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import { openCaptioner } from '../../engine/models/captioning/captioner.ts';
import { openEvaluation } from '../../engine/models/open-evaluation.ts';
import {
  type CaptionData,
  training as multimodalFamily,
} from '../../engine/models/spiking-multimodal/training.ts';
import { unpackModel, unpackTraining } from '../../engine/models/stored-model.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import type { RunOptions, TrainingRun } from '../../engine/train/run.ts';
import { colouredPng, dataFiles, jsonLines } from './captioned-files.ts';
import { variants } from './play.ts';

const STEPS = 150;
const settings: RunSettings = {
  architecture: 'spiking_multimodal',
  fields: {
    ...{ d_model: 16, n_heads: 2, num_blocks: 1, time_steps: 2 },
    ...{ caption_seq_len: 9, ngram_order: 4 },
  },
  batch: 4,
  learningRate: 0.01,
  seed: 3,
  budget: { kind: 'steps', steps: STEPS },
};

/** The first word is told by the picture alone, the rest by the letters before. */
const COLOURS = { 'red one': [230, 20, 20], 'blue one': [20, 20, 230] } as const;
const captions = Object.keys(COLOURS) as (keyof typeof COLOURS)[];

function files() {
  const pairs = captions.flatMap((caption, colour) =>
    [0, 1, 2, 3, 4, 5].map((shade) => ({
      png: colouredPng(COLOURS[caption], shade),
      line: {
        image: `${colour}-${shade}.png`,
        caption,
        split: shade === 2 || shade === 3 ? 'test' : 'train',
      },
    })),
  );
  return dataFiles({
    'captions.jsonl': jsonLines(pairs.map(({ line }) => line)),
    ...Object.fromEntries(pairs.map(({ line, png }) => [line.image, png])),
  });
}

describe('captions beside n-gram tables', () => {
  let backend: Backend;
  let data: CaptionData;
  let run: TrainingRun;
  const start = (changes: Partial<RunOptions> = {}) =>
    multimodalFamily.createRun({ backend, settings, controls: stableBaseline, ...changes }, data);
  beforeAll(async () => {
    backend = await variants['wasm, relaxed, 1 thread']();
    data = await multimodalFamily.openData(files(), settings);
    run = await start();
  });
  afterAll(() => {
    run.close();
    backend.close();
  });

  it('begin with what the letters tell, which is the floor of as many letters', async () => {
    const { loss, figures } = await run.validate();
    const floor = (await run.floors()).find(({ name }) => name === '4-gram');

    expect(figures!['tables_loss']).toBeCloseTo(floor!.value, 5);
    expect(Math.abs(loss - figures!['tables_loss']!)).toBeLessThan(0.2);
  });

  it('learn from the picture what no letter tells', async () => {
    await run.advance(STEPS);
    const { loss, figures } = await run.validate();

    expect(loss).toBeLessThan(figures!['tables_loss']! - 0.05);
    expect(figures!['shuffled_loss']).toBeGreaterThan(loss + 0.05);
  });

  it('are written and judged with the tables that lie in the checkpoint', async () => {
    const checkpoint = await run.checkpoint();
    const { loss } = await run.validate();
    const captioner = await openCaptioner(backend, unpackModel(checkpoint));
    const picture = decodePng('x', colouredPng(COLOURS['blue one'], 1.5));
    let said = '';
    const greedy = { temperature: 0, topK: 0, topP: 1, seed: 1 };
    for await (const piece of captioner.caption({ picture, ...greedy })) said += piece;
    captioner.close();
    const { evaluator, report } = await openEvaluation(checkpoint, {
      ...{ backend, data: files(), choice: { split: 'validation', streams: 1 } },
    });
    const frame = { name: 'run', createdAt: '2026-11-23T00:00:00Z', processPeak: null };
    const { retrieval } = report(await evaluator.run({}), frame);
    evaluator.close();

    expect(said).toBe('blue one');
    expect(retrieval?.matched_nats).toBeCloseTo(loss, 5);
  });

  it('resume to the last bit, and with no other tables', async () => {
    const half = await start();
    await half.advance(20);
    const stored = await half.checkpoint();
    await half.advance(20);
    const [resume, whole] = [unpackTraining(stored), await half.checkpoint()];
    const resumed = await start({ resume });
    await resumed.advance(20);
    const again = await resumed.checkpoint();
    for (const one of [half, resumed]) one.close();

    expect(again.get('model.safetensors')).toEqual(whole.get('model.safetensors'));
    const other = { ...settings, fields: { ...settings.fields, ngram_order: 3 } };
    await expect(start({ settings: other, resume })).rejects.toThrow(/ngram_order 4/);
  });
});
