import { describe, expect, it } from 'vitest';
import { openEvaluation } from '../../engine/models/open-evaluation.ts';
import { training as multimodalFamily } from '../../engine/models/spiking-multimodal/training.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { colouredPng, dataFiles, jsonLines } from './captioned-files.ts';
import { variants } from './play.ts';

const settings: RunSettings = {
  architecture: 'spiking_multimodal',
  fields: { d_model: 16, n_heads: 2, num_blocks: 1, time_steps: 2, caption_seq_len: 6 },
  batch: 4,
  learningRate: 0.01,
  seed: 3,
  budget: { kind: 'steps', steps: 150 },
};

const COLOURS = { red: [230, 20, 20], green: [20, 230, 20], blue: [20, 20, 230] } as const;
const colours = Object.keys(COLOURS) as (keyof typeof COLOURS)[];

/** A picture of each colour in five shades, one of which is only asked. */
function colouredPictures(mark = '') {
  const pairs = colours.flatMap((caption) =>
    [0, 1, 2, 3, 4].map((shade) => ({
      image: `${caption}-${shade}.png`,
      png: colouredPng(COLOURS[caption], shade),
      caption: caption + mark,
      split: shade === 2 ? 'test' : 'train',
    })),
  );
  const lines = pairs.map(({ image, caption, split }) => ({ image, caption, split }));
  const pictures = pairs.map(({ image, png }) => [image, png] as const);
  return dataFiles({ 'captions.jsonl': jsonLines(lines), ...Object.fromEntries(pictures) });
}

describe('a stored model of captions', () => {
  it('finds pictures for captions once it has learned to look at them', async () => {
    const backend = await variants['wasm, relaxed, 1 thread']();
    const files = colouredPictures();
    const run = await multimodalFamily.createRun(
      { backend, settings, controls: stableBaseline },
      await multimodalFamily.openData(files, settings),
    );
    await run.advance(150);
    const { loss } = await run.validate();
    const checkpoint = await run.checkpoint();
    run.close();

    const { evaluator, report } = await openEvaluation(checkpoint, {
      ...{ backend, data: files },
      choice: { split: 'validation', streams: 1 },
    });
    const evaluated = await evaluator.run({});
    const frame = { name: 'run', createdAt: '2026-11-21T00:00:00Z', processPeak: null };
    const { unit, data, retrieval } = report(evaluated, frame);
    evaluator.close();
    // Captions with a character that it never saw are judged without it.
    const marked = await openEvaluation(checkpoint, {
      ...{ backend, data: colouredPictures('Ω') },
      choice: { split: 'validation', streams: 1 },
    });
    const told = marked.report(await marked.evaluator.run({}), frame);
    marked.evaluator.close();
    backend.close();

    expect(told.data.unknown_characters).toBe(15);
    expect(data.unknown_characters).toBeUndefined();
    expect(told.retrieval?.matched_nats).toBe(retrieval?.matched_nats);

    expect({ unit, ...data }).toMatchObject({ unit: 'caption', first: 0, end: 3, length: 15 });
    expect(retrieval?.matched_nats).toBeCloseTo(loss, 5);
    expect(retrieval?.pictures.recall_at).toMatchObject({ 1: 1 });
    expect(retrieval?.captions.recall_at).toMatchObject({ 1: 1 });
    expect(retrieval?.gain.low).toBeGreaterThan(0);
  });
});
