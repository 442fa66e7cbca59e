import { readFileSync } from 'node:fs';
import { host } from '#wasm-host';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import type { Host } from '../../engine/backends/wasm/host/host.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { type DataFiles, singleFile } from '../../engine/data/files/data-files.ts';
import { createReadingCodes } from '../../engine/encoding.ts';
import { createAssociativeMemory, createTextEmbedder } from '../../engine/memory.ts';
import type { Fields } from '../../engine/settings/fields.ts';
import type { Architecture } from '../../engine/models/architectures.ts';
import { loadReading } from '../../engine/models/load-reading.ts';
import { unpackModel } from '../../engine/models/stored-model.ts';
import { memorySource } from './byte-sources.ts';
import { colouredPng, dataFiles, jsonLines } from './captioned-files.ts';
import { bandedPictures } from './data-sets.ts';
import { NOVEL } from './novel.ts';
import { trainedFiles } from './trained-files.ts';

vi.mock('../../engine/backends/wasm/build/edge-own.wasm', async () => {
  const file = new URL('../../engine/backends/wasm/build/edge-own.wasm', import.meta.url);
  return { default: await WebAssembly.compile(readFileSync(file)) };
});
/** Other files have the same module: its members are exchanged for those of the edge, and put back. */
const own: Host = { compileWhole: async () => undefined, ...host };
afterEach(() => void Object.assign(host, own));

async function goToTheEdge(): Promise<void> {
  const edge = await import('../../engine/backends/wasm/host/host-edge.ts');
  const { compile, compileWhole, emit } = edge.host;
  Object.assign(host, { compile, compileWhole, emit });
}

let home: Backend;
beforeAll(async () => {
  home = await openWasmBackend({ threads: 1 });
});
afterAll(() => home.close());

const novel = () => singleFile(memorySource(readFileSync(NOVEL).subarray(0, 3000), 'novel.txt'));
const pictures = () => bandedPictures(24, 8);
const captions = () => {
  const shades = Array.from({ length: 12 }, (_, i) => i / 2);
  const lines = shades.map((shade) => {
    const split = shade % 2 === 1 ? 'test' : 'train';
    return { image: `${shade}.png`, caption: 'red', group: 'reds', split };
  });
  const files = shades.map((shade) => [`${shade}.png`, colouredPng([230, 20, 20], shade)] as const);
  return dataFiles({ 'captions.jsonl': jsonLines(lines), ...Object.fromEntries(files) });
};

const text = { d_model: 16, n_heads: 2, num_blocks: 1, time_steps: 2, seq_len: 8 };
const caption = { d_model: 16, n_heads: 2, num_blocks: 1, time_steps: 2, caption_seq_len: 6 };
const sparse = { density: 0.2, codebook_rank: 8, adapter_rank: 2 };
const audio = { synthetic: true, output_neurons: 3, mfcc_features: 12, mfcc_seq_len: 10 };
const stream = { d_model: 48, num_blocks: 1, caption_seq_len: 5, image_patch: 16, image_codes: 6 };

/** Every family, with the fields that choose kernels of its inference. */
const MODELS: readonly (readonly [Architecture, Fields, () => DataFiles])[] = [
  ['dense_chronospike', text, novel],
  ['dense_chronospike', { ...text, neuron_type: 'EvoLIF' }, novel],
  ['dense_chronospike', { ...text, neuron_type: 'Izhikevich' }, novel],
  ['dense_chronospike', { ...text, longest_tau: 100 }, novel],
  ['dense_chronospike', { ...text, carry: true }, novel],
  ['standard_transformer', { d_model: 16, n_heads: 2, num_blocks: 1, seq_len: 8 }, novel],
  [
    'sparse_event_memory',
    { ...sparse, d_model: 24, num_blocks: 2, seq_len: 8, experts: 3, top_k: 2 },
    novel,
  ],
  ['spiking_vision', { model_variant: 'conv' }, pictures],
  ['spiking_vision', { model_variant: 'conv_plain' }, pictures],
  ['spiking_vision', { model_variant: 'mlp' }, pictures],
  ['spiking_vision', { model_variant: 'mlp', quantization: 'int8' }, pictures],
  ['spiking_audio', audio, () => dataFiles({})],
  ['spiking_audio', { ...audio, quantization: 'int8' }, () => dataFiles({})],
  ['spiking_multimodal', caption, captions],
  ['memoried_spikenetlm', { ...stream, density: 0.1, codebook_rank: 32 }, captions],
];

it.each(MODELS)('the edge has the kernels that %s %j answers with', async (...model) => {
  const [architecture, fields, data] = model;
  const { files } = await trainedFiles(home, data(), { architecture, fields, steps: 1 });
  const { openBatched, openClasses } = await loadReading(architecture);

  const edge = await openAtTheEdge();
  const stored = unpackModel(files);
  // A program is bound when it is loaded: a kernel that is missing is found then.
  const opened = await Promise.all([
    openBatched?.(edge, stored, { slots: 1 }),
    openClasses?.(edge, stored),
  ]);
  expect(opened.filter((one) => one !== undefined)).not.toEqual([]);
  for (const one of opened) one?.close();
});

it('the edge has the kernels of memories and of readings', async () => {
  await goToTheEdge();
  const codes = await createReadingCodes({ steps: 4 });
  const embedder = await createTextEmbedder();
  const memory = await createAssociativeMemory();
  expect([...(await codes.rate([0, 1], 1))]).toEqual([0, 0b1111]);
  for (const one of [codes, embedder, memory]) one.close();
});

it('a program that trains is refused by the edge, not broken there', async () => {
  const settings = { architecture: 'dense_chronospike', fields: text, steps: 1 } as const;

  const training = trainedFiles(await openAtTheEdge(), novel(), settings);

  await expect(training).rejects.toThrow(/the edge has no kernel/);
});

async function openAtTheEdge(): Promise<Backend> {
  await goToTheEdge();
  return openWasmBackend({ threads: 1, deterministic: true });
}
