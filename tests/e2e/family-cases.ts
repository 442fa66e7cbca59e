import { zipSync } from 'fflate';
import {
  type Architecture,
  type DataFiles,
  type FieldValue,
  loadFamily,
  openBackend,
  type RunSettings,
  stableBaseline,
} from '../../engine/index.ts';
import { colouredPng, dataFiles, jsonLines } from '../engine/captioned-files.ts';
import { bandedPictures, dataSet, wavFile } from '../engine/data-sets.ts';

/** Data that a family can learn from, and fields so small that it does within a moment. */
export interface FamilyCase {
  readonly data: DataFiles;
  readonly fields: Readonly<Record<string, FieldValue>>;
}

const trunk = { d_model: 16, n_heads: 2, num_blocks: 1 } as const;

/** Every family: one that has no line here does not compile. */
export const familyCases: Readonly<Record<Architecture, FamilyCase>> = {
  dense_chronospike: { data: text(), fields: { ...trunk, time_steps: 2, seq_len: 16 } },
  standard_transformer: { data: text(), fields: { ...trunk, seq_len: 16 } },
  sparse_event_memory: {
    data: text(),
    fields: { d_model: 64, num_blocks: 2, seq_len: 16, codebook_rank: 16, adapter_rank: 4 },
  },
  spiking_multimodal: {
    data: captions(),
    fields: { ...trunk, time_steps: 2, caption_seq_len: 6 },
  },
  memoried_spikenetlm: {
    data: captions(),
    fields: {
      ...{ d_model: 48, num_blocks: 1, caption_seq_len: 6, image_patch: 16, image_codes: 4 },
      ...{ density: 0.1, codebook_rank: 32, adapter_rank: 4 },
    },
  },
  spiking_vision: {
    data: bandedPictures(40, 10),
    fields: { model_variant: 'conv', output_dim: 3, time_steps: 2 },
  },
  spiking_audio: {
    data: tones(),
    fields: { mfcc_features: 12, mfcc_seq_len: 10, output_neurons: 2 },
  },
};

/** Training settings shared by all cases. */
export const RUN = { batch: 4, learningRate: 0.01, seed: 5, steps: 100 } as const;

/** The data as somebody chooses it: the file itself, or a zip archive of several. */
export async function chosenFile({ name, files }: DataFiles) {
  const read = files.map(async ({ path, size, open }) => {
    const source = await open();
    return [path, await source.read(0, size)] as const;
  });
  const all = await Promise.all(read);
  const [first] = all;
  if (first && all.length === 1) {
    return { name: first[0], mimeType: 'text/plain', buffer: Buffer.from(first[1]) };
  }
  const buffer = Buffer.from(zipSync(Object.fromEntries(all)));
  return { name: `${name}.zip`, mimeType: 'application/zip', buffer };
}

/** The checkpoint of a run before its first step, as one zip file. */
export async function freshCheckpoint(architecture: Architecture): Promise<Buffer> {
  const { data: files, fields } = familyCases[architecture];
  const { steps, ...run } = RUN;
  const settings: RunSettings = { architecture, fields, ...run, budget: { kind: 'steps', steps } };
  const family = await loadFamily(architecture);
  const backend = await openBackend('reference', { gpu: undefined });
  const data = await family.openData(files, settings);
  const started = await family.createRun({ backend, settings, controls: stableBaseline }, data);
  const checkpoint = await started.checkpoint();
  started.close();
  await data.close?.();
  backend.close();
  return Buffer.from(zipSync(Object.fromEntries(checkpoint)));
}

function text(): DataFiles {
  const lines = 'the quick brown fox jumps over the lazy dog.\nshe sells sea shells.\n';
  return dataSet('foxes', { 'foxes.txt': Buffer.from(lines.repeat(40)) });
}

/** Pictures of two colours, named in their captions, each colour a group. */
function captions(): DataFiles {
  const colours = { red: [230, 20, 20], blue: [20, 20, 230] } as const;
  const pairs = Object.entries(colours).flatMap(([caption, colour]) =>
    [0, 1, 2, 3].map((shade) => ({
      line: {
        image: `${caption}-${shade}.png`,
        caption,
        group: `${caption} things`,
        split: shade === 3 ? 'test' : 'train',
      },
      png: colouredPng(colour, shade),
    })),
  );
  const pictures = pairs.map(({ line, png }) => [line.image, png] as const);
  const listing = jsonLines(pairs.map(({ line }) => line));
  return dataFiles({ 'captions.jsonl': listing, ...Object.fromEntries(pictures) });
}

/** Tones of two pitches, in a folder for each. */
function tones(): DataFiles {
  const sounds = Object.entries({ low: 300, high: 1800 }).flatMap(([label, hertz]) =>
    Array.from({ length: 12 }, (_, i) => {
      const turn = (2 * Math.PI * (hertz + 10 * i)) / 8000;
      const samples = Array.from({ length: 900 }, (__, t) => 0.4 * Math.sin(turn * t));
      return [`${label}/${i}.wav`, wavFile(samples)] as const;
    }),
  );
  return dataSet('tones', Object.fromEntries(sounds));
}
