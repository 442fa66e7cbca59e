import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import type { CheckpointFiles } from '../../engine/checkpoint/files.ts';
import { type DataFiles, singleFile } from '../../engine/data/files/data-files.ts';
import type { EvaluationChoice } from '../../engine/evaluation/evaluator.ts';
import { openEvaluation } from '../../engine/models/open-evaluation.ts';
import { parseReport } from '../../engine/evaluation/report.ts';
import { memorySource } from './byte-sources.ts';
import { bandedPictures, dataSet } from './data-sets.ts';
import { NOVEL } from './novel.ts';
import { encodePng } from './png-files.ts';
import { wasmVariants } from './play.ts';
import { trainedFiles } from './trained-files.ts';

const novel = singleFile(memorySource(readFileSync(NOVEL).subarray(0, 4000), 'chapter_1.txt'));
const pictures = bandedPictures(120, 23);

let backend: Backend;
beforeAll(async () => {
  backend = await wasmVariants['wasm, relaxed, 1 thread']();
});
afterAll(() => backend.close());

type Trained = Awaited<ReturnType<typeof trainedFiles>>;

/** A report as it is stored. */
async function evaluate(
  files: CheckpointFiles,
  data: DataFiles,
  choice: Partial<EvaluationChoice> = {},
) {
  const { evaluator, report } = await openEvaluation(files, {
    ...{ backend, data },
    choice: { split: 'validation', streams: 1, ...choice },
  });
  const evaluated = await evaluator.run({});
  evaluator.close();
  const frame = { name: 'run', createdAt: '2026-11-21T00:00:00Z', processPeak: null };
  const text = JSON.stringify(report(evaluated, frame));
  expect(parseReport('report.json', text)).toEqual(JSON.parse(text));
  return parseReport('report.json', text);
}

describe('standard_transformer', () => {
  const [width, sequence] = [16, 16];
  let trained: Trained;
  beforeAll(async () => {
    const fields = { d_model: width, n_heads: 2, num_blocks: 1, seq_len: sequence };
    trained = await trainedFiles(backend, novel, {
      architecture: 'standard_transformer',
      fields,
      steps: 20,
    });
  });

  it('has in windows the loss of its validation', async () => {
    const { language } = await evaluate(trained.files, novel, { windows: 256 });

    expect(language?.nats_per_token).toBeCloseTo(trained.loss, 5);
  });

  it('has no spikes: its energy is that of its products, said three ways', async () => {
    const { model, language, spikes, energy } = await evaluate(trained.files, novel, {
      windows: 8,
    });
    const vocabulary = Number(model.spec['vocab_size']);

    expect(language?.tokens).toBe(8 * sequence);
    expect(spikes).toBeUndefined();
    // Weights of a block and of the readout, and on average 8.5 tokens that each one sees.
    const macs = 12 * width ** 2 + width * vocabulary + ((sequence + 1) / 2) * 2 * width;
    expect(energy).toMatchObject({ synaptic_ops: 0, macs, break_even_rate: null });
    expect(energy?.compute_pj).toBeCloseTo(4.6 * macs, 6);
    expect(energy?.with_memory_pj).toBeCloseTo(54.6 * macs, 6);
    expect(energy?.dense_with_memory_pj).toBe(energy?.with_memory_pj);
  });

  it('reads a text as one stream or several, and counts windows that it reads again', async () => {
    const one = await evaluate(trained.files, novel);
    const three = await evaluate(trained.files, novel, { streams: 3 });
    const windows = await evaluate(trained.files, novel, { windows: 8 });

    expect(one.language).toMatchObject({ form: 'stream', tokens: one.total, rows: 1 });
    // The context of a token differs where the windows of a part begin elsewhere.
    expect(three.language!.nats_per_token).toBeCloseTo(one.language!.nats_per_token, 1);
    expect(one.energy!.macs!).toBeGreaterThan(1.5 * windows.energy!.macs!);
    expect(one.energy!.macs!).toBeLessThan(3 * windows.energy!.macs!);
  });
});

describe('sparse_event_memory', () => {
  const fields = {
    ...{ d_model: 32, num_blocks: 2, seq_len: 16, density: 0.25, codebook_rank: 8 },
    ...{ experts: 2, top_k: 1, adapter_rank: 2 },
  };
  let trained: Trained;
  beforeAll(async () => {
    const architecture = 'sparse_event_memory';
    trained = await trainedFiles(backend, novel, { architecture, fields, steps: 20 });
  });

  it('has in windows the loss of its validation', async () => {
    const { language, spikes } = await evaluate(trained.files, novel, { windows: 256 });

    expect(language?.nats_per_token).toBeCloseTo(trained.loss, 5);
    expect(spikes?.layers.map(({ name }) => name)).toEqual([
      'blocks.0.neurons',
      'blocks.1.neurons',
    ]);
  });

  it('reads a text as a stream, and an event costs a weight for each target neuron', async () => {
    const { language, spikes, energy, memory } = await evaluate(trained.files, novel);
    const three = await evaluate(trained.files, novel, { streams: 3 });

    expect(language!.nats_per_character).toBeLessThan(Math.log(80));
    expect(three.language!.nats_per_token).toBeCloseTo(language!.nats_per_token, 1);
    expect(spikes).toMatchObject({ neurons: 64, time_steps: 1 });
    expect(spikes!.total).toBeGreaterThan(0);
    // A quarter of 32 neurons.
    expect(spikes!.synaptic_ops_per_unit).toBeCloseTo(8 * spikes!.per_unit, 6);
    expect(energy!.synaptic_ops).toBe(spikes!.synaptic_ops_per_unit);
    expect(energy!.break_even_rate).toBeCloseTo(54.6 / 150.9, 6);
    // Codes and synapses are the model's, though they are not learned by gradients.
    expect(memory.parameters).toBeGreaterThan(4 * 64 * 8);
    expect(memory.lasting).toBeGreaterThan(0);
  });

  it('refuses pictures, as it reads text', async () => {
    await expect(evaluate(trained.files, pictures)).rejects.toMatchObject({ name: 'EngineError' });
  });
});

describe('spiking_vision', () => {
  let trained: Trained;
  beforeAll(async () => {
    const fields = { output_dim: 3, time_steps: 4, model_variant: 'conv' };
    trained = await trainedFiles(backend, pictures, {
      architecture: 'spiking_vision',
      fields,
      steps: 12,
    });
  });

  it('has the accuracy and the confusion of its validation', async () => {
    const report = await evaluate(trained.files, pictures);
    const { classification, spikes, energy } = report;

    expect(report).toMatchObject({ unit: 'image', done: 23, data: { end: 23, length: 143 } });
    expect(classification?.accuracy).toBe(trained.figures?.['accuracy']);
    expect(classification?.matrix).toEqual(trained.confusion);
    expect(classification?.labels).toEqual(['0', '1', '2']);
    expect(classification?.calibration.count).toBe(23);
    expect(spikes?.layers.map(({ name }) => name)).toEqual(['blocks.0', 'blocks.1', 'hidden']);
    expect(spikes?.time_steps).toBe(4);
    expect(energy!.compute_pj).toBeGreaterThan(0.9 * energy!.synaptic_ops);
    expect(energy!.with_memory_pj).toBeGreaterThan(energy!.compute_pj);
  });

  it('judges another part, and all of it', async () => {
    expect(await evaluate(trained.files, pictures, { split: 'train' })).toMatchObject({
      done: 120,
      classification: { count: 120 },
    });
    expect(await evaluate(trained.files, pictures, { split: 'all' })).toMatchObject({
      done: 143,
      classification: { count: 143 },
    });
  });

  it.each<[string, DataFiles, RegExp]>([
    ['a text', novel, /none of 1 files is a PNG image or an IDX file/],
    [
      'pictures of another size',
      idxOf(bandedPictures(30, 10), 'larger'),
      /those of larger are 1 x 4 x 16: the model sees 1 x 8 x 8/,
    ],
    [
      'classes that it does not know',
      folderOf('animals', ['cat', 'dog']),
      /animals has the class "cat": expected only what the model tells apart, 0, 1, 2/,
    ],
  ])('refuses %s', async (_what, data, message) => {
    await expect(evaluate(trained.files, data)).rejects.toThrow(message);
  });

  it('sees the pictures of a folder in its own size and by the names of their classes', async () => {
    const report = await evaluate(trained.files, folderOf('digits', ['2', '1']), { split: 'all' });

    expect(report.classification?.classes.map(({ support }) => support)).toEqual([0, 20, 20]);
  });
});

describe('spiking_audio', () => {
  it('has the accuracy of its validation, and time steps of all its frames', async () => {
    const fields = { output_neurons: 3, mfcc_features: 12, mfcc_seq_len: 10, time_steps: 2 };
    const nothing = dataSet('nothing', {});
    const { files, figures, confusion } = await trainedFiles(backend, nothing, {
      architecture: 'spiking_audio',
      fields: { ...fields, synthetic: true },
      steps: 10,
    });

    const report = await evaluate(files, nothing);
    const { classification, spikes, energy } = report;

    expect(report).toMatchObject({ unit: 'sound', done: 30, data: { name: '3 tones' } });
    expect(classification?.accuracy).toBe(figures?.['accuracy']);
    expect(classification?.matrix).toEqual(confusion);
    expect(spikes).toMatchObject({ neurons: 512, time_steps: 20, frames: 10 });
    // A spike reaches all neurons and the three of the output.
    expect(spikes!.synaptic_ops_per_unit).toBeCloseTo(515 * spikes!.per_unit, 3);
    // Two time steps see each frame.
    expect(energy!.break_even_rate).toBeCloseTo(54.6 / (2 * 150.9), 6);
  });
});

/** The same pixels, four lines of sixteen. */
function idxOf(data: DataFiles, name: string): DataFiles {
  const shaped = data.files.map((file) => ({
    ...file,
    open: async () => {
      const source = await file.open();
      const bytes = await source.read(0, source.size);
      if (file.path.includes('images')) new DataView(bytes.buffer).setUint32(8, 4);
      if (file.path.includes('images')) new DataView(bytes.buffer).setUint32(12, 16);
      return memorySource(bytes, file.path);
    },
  }));
  return { ...data, name, files: shaped };
}

/** Twenty grey pictures of 16 x 16 pixels for each class. */
function folderOf(name: string, classes: readonly string[]): DataFiles {
  const samples = (shade: number) => Array.from({ length: 256 }, (_, i) => (i * shade) % 256);
  const files = classes.flatMap((folder) =>
    Array.from({ length: 20 }, (_, i) => {
      const picture = { width: 16, height: 16, colour: 0, depth: 8, samples: samples(i + 1) };
      return [`${folder}/${i}.png`, encodePng(picture)] as const;
    }),
  );
  return dataSet(name, Object.fromEntries(files));
}
