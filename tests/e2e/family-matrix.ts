import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { InputName, ModelInputs } from '../../edge/inference/contract/request-inputs.ts';
import type { JobRecord } from '../../edge/training/contract/job.ts';
import { ARCHITECTURES, type Architecture, familyDescriptions } from '../../engine/index.ts';
import { sendDataset } from '../../trainer/send-dataset.ts';
import { colouredPng, toneWav } from '../engine/captioned-files.ts';
import { encodePng } from '../engine/png-files.ts';
import { test as shared } from './dashboard.ts';
import { chosenFile, familyCases, RUN } from './family-cases.ts';
import { inferenceReady } from './text-models.ts';
import { submit, until } from './training.ts';

const STEPS = 12;
const GREY = Array.from({ length: 8 * 8 }, (_, i) => (i * 7) % 200);

/** Files of each input as somebody would give them. */
export const FILES = {
  image: {
    name: 'red.png',
    mimeType: 'image/png',
    buffer: Buffer.from(colouredPng([230, 20, 20], 1)),
  },
  grey: {
    name: 'grey.png',
    mimeType: 'image/png',
    buffer: Buffer.from(encodePng({ width: 8, height: 8, colour: 0, depth: 8, samples: GREY })),
  },
  audio: { name: 'tone.wav', mimeType: 'audio/wav', buffer: Buffer.from(toneWav(400, 900)) },
} as const;

export interface FamilyRow {
  /** Inputs of the case's model. */
  readonly takes: ModelInputs;
  readonly asked: readonly InputName[];
  readonly outputs: readonly ('text' | 'classes')[];
  /** The command that has such a model answer by itself; none but `infer` does of a classifier. */
  readonly command?: 'generate' | 'caption';
  readonly unit: string;
}

const text = {
  takes: { text: 'needed' },
  asked: ['text'],
  outputs: ['text'],
  command: 'generate',
  unit: 'token',
} as const satisfies FamilyRow;

/** The matrix: a family that has no line here does not compile. */
export const ROWS: Readonly<Record<Architecture, FamilyRow>> = {
  dense_chronospike: text,
  standard_transformer: text,
  sparse_event_memory: text,
  spiking_multimodal: {
    takes: { text: 'taken', image: 'needed' },
    asked: ['image', 'text'],
    outputs: ['text'],
    command: 'caption',
    unit: 'caption',
  },
  memoried_spikenetlm: {
    takes: { text: 'taken', image: 'taken' },
    asked: ['image', 'text'],
    outputs: ['text', 'classes'],
    command: 'caption',
    unit: 'caption',
  },
  spiking_vision: {
    takes: { image: 'needed' },
    asked: ['image'],
    outputs: ['classes'],
    unit: 'image',
  },
  spiking_audio: {
    takes: { audio: 'needed' },
    asked: ['audio'],
    outputs: ['classes'],
    unit: 'sound',
  },
};

export const fileOf = (architecture: Architecture, name: 'image' | 'audio') =>
  FILES[name === 'image' && architecture === 'spiking_vision' ? 'grey' : name];

export const valueOf = (architecture: Architecture, name: InputName): string =>
  name === 'text' ? 're' : fileOf(architecture, name).buffer.toString('base64');

export interface Trained {
  readonly gateway: string;
  /** Files and data of all familyDescriptions. */
  readonly folder: string;
  readonly jobs: Readonly<Record<Architecture, JobRecord>>;
}

/** A platform on which a small model of every family was trained as a job, once for all tests. */
export const test = shared.extend<object, { readonly trained: Trained }>({
  baseURL: async ({ whole }, use) => {
    await use(whole.gateway.url);
  },
  trained: [
    async ({ whole }, use) => {
      const { url: gateway } = whole.gateway;
      const folder = mkdtempSync(join(tmpdir(), 'spikegrid-familyDescriptions-'));
      await Promise.all([inferenceReady(gateway), whole.startTrainer('familyDescriptions')]);
      const submitted = [];
      for (const architecture of ARCHITECTURES) {
        submitted.push([
          architecture,
          (await submitFamily(gateway, folder, architecture)).job_id,
        ] as const);
      }
      const jobs: Partial<Record<Architecture, JobRecord>> = {};
      for (const [architecture, id] of submitted) {
        jobs[architecture] = await until(gateway, id, ({ status }) => status === 'succeeded');
      }
      await use({ gateway, folder, jobs: jobs as Trained['jobs'] });
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

/** Uploads the data of a family and submits a job on it; the same files lie in a folder for commands. */
async function submitFamily(gateway: string, folder: string, architecture: Architecture) {
  const { data, fields } = familyCases[architecture];
  const { name, buffer } = await chosenFile(data);
  for (const { path, size, open } of data.files) {
    const place = join(folder, architecture, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, await (await open()).read(0, size));
  }
  const dataset = `${architecture}-${name}`;
  const training = { base: `${gateway}/training`, headers: {} };
  await sendDataset(training, { name: dataset, file: new Blob([buffer]) });
  const config = { ...fields, batch_size: RUN.batch, steps: STEPS };
  const body = {
    model_type: architecture,
    dataset_path: `datasets/${dataset}`,
    learning_rate: RUN.learningRate,
    config,
  };
  return submit(gateway, body as unknown as Parameters<typeof submit>[1]);
}

/** One text is a file, everything else a folder. */
export function dataOf(folder: string, architecture: Architecture): string {
  const { files } = familyCases[architecture].data;
  const isText = familyDescriptions[architecture].category === 'LangText';
  return join(folder, architecture, isText ? (files[0]?.path ?? '') : '');
}
