import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { unpackTraining } from '../../engine/models/stored-model.ts';
import { controlsOf, settingsOf } from '../../engine/checkpoint/training-state.ts';
import { type DataFiles, singleFile } from '../../engine/data/files/data-files.ts';
import { families } from '../../engine/models/families.ts';
import { type Architecture } from '../../engine/models/architectures.ts';
import type { Fields } from '../../engine/settings/fields.ts';
import { formatPlan } from '../../engine/graph/program.ts';
import { inspectTraining } from '../../engine/models/load-family.ts';
import { memorySource } from './byte-sources.ts';
import { colouredPng, dataFiles, jsonLines } from './captioned-files.ts';
import { bandedPictures, dataSet } from './data-sets.ts';
import { NOVEL } from './novel.ts';
import { wasmVariants } from './play.ts';
import { trainedFiles } from './trained-files.ts';

const novel = singleFile(memorySource(readFileSync(NOVEL).subarray(0, 2000), 'chapter_1.txt'));
const pictures = bandedPictures(40, 10);
const image = { channels: 1, height: 8, width: 8 };
const small = { d_model: 16, num_blocks: 1, seq_len: 8 };

let backend: Backend;
beforeAll(async () => {
  backend = await wasmVariants['wasm, relaxed, 1 thread']();
});
afterAll(() => backend.close());

const captioner = { d_model: 16, n_heads: 2, num_blocks: 1, time_steps: 2, caption_seq_len: 6 };
const streamed = {
  d_model: 48,
  num_blocks: 1,
  caption_seq_len: 5,
  image_patch: 16,
  image_codes: 2,
};
const captioned = dataFiles({
  'captions.jsonl': jsonLines(
    Array.from({ length: 20 }, (_, i) => ({ image: `${i % 2}.png`, caption: 'a red' })),
  ),
  '0.png': colouredPng([230, 20, 20]),
  '1.png': colouredPng([120, 10, 10]),
});
const vision = { output_dim: 3, model_variant: 'mlp' };
const audio = { output_neurons: 2, mfcc_features: 8, mfcc_seq_len: 6, synthetic: true };

it.each<[Architecture, Fields, DataFiles, readonly string[]]>([
  ['dense_chronospike', { ...small, n_heads: 2, time_steps: 2 }, novel, ['train']],
  ['standard_transformer', { ...small, n_heads: 2 }, novel, ['train']],
  ['sparse_event_memory', { ...small, density: 0.5, codebook_rank: 8 }, novel, ['train']],
  ['spiking_vision', vision, pictures, ['train']],
  ['spiking_vision', { ...vision, privacy_level: 'low' }, pictures, ['example', 'private step']],
  ['spiking_multimodal', captioner, captioned, ['train']],
  ['memoried_spikenetlm', streamed, captioned, ['train']],
  ['spiking_audio', audio, dataSet('nothing', {}), ['train']],
])('shows the training step of a %s run with %j', async (architecture, fields, data, names) => {
  const { files } = await trainedFiles(backend, data, { architecture, fields, steps: 1 });
  const stored = unpackTraining(files);
  const { spec, execution } = stored;

  const { programs } = await inspectTraining(stored);

  expect(programs.map(({ name }) => name)).toEqual(names);
  const settings = settingsOf(execution, architecture);
  const shape = {
    ...image,
    images: 1,
    sounds: 0,
    vocabulary: 'vocab_size' in spec ? spec.vocab_size : 0,
  };
  const { breakdown } = families[architecture].plan(settings, controlsOf(execution), shape);
  for (const program of programs) {
    // The plan of the whole run has room for each of its programs.
    expect(program.arena.arenaBytes).toBeLessThanOrEqual(breakdown.arena);
    expect(formatPlan(program)).toMatch(
      /kernel calls, .*\n {2}arena \d+ bytes; live at the peak \d+/s,
    );
  }
});
