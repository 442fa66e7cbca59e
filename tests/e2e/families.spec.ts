import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { readEvents } from '../../edge/contract/event-stream.ts';
import { InferAnswer } from '../../edge/contract/inference/infer.ts';
import {
  INPUT_NAMES,
  type InputName,
  type ModelInputs,
} from '../../edge/contract/inference/model-inputs.ts';
import type { JobRecord } from '../../edge/contract/training/job.ts';
import { ARCHITECTURES, type Architecture, familyFacts } from '../../engine/index.ts';
import { sendDataset } from '../../trainer/send-dataset.ts';
import { colouredPng, toneWav } from '../engine/captioned-files.ts';
import { encodePng } from '../engine/png-files.ts';
import { violations } from './axe.ts';
import { expect, test as shared } from './dashboard.ts';
import { chosenFile, familyCases, RUN } from './family-cases.ts';
import { runSpikegrid } from './spikegrid.ts';
import { inferenceReady } from './text-models.ts';
import { submit, until } from './training.ts';

const STEPS = 12;
const GREY = Array.from({ length: 8 * 8 }, (_, i) => (i * 7) % 200);

/** Files of each input as somebody would give them. */
const FILES = {
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

interface FamilyRow {
  /** What a model of the case is asked with. */
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
const ROWS: Readonly<Record<Architecture, FamilyRow>> = {
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

const fileOf = (architecture: Architecture, name: 'image' | 'audio') =>
  FILES[name === 'image' && architecture === 'spiking_vision' ? 'grey' : name];

const valueOf = (architecture: Architecture, name: InputName): string =>
  name === 'text' ? 're' : fileOf(architecture, name).buffer.toString('base64');

interface Trained {
  readonly gateway: string;
  /** Files and data of all families. */
  readonly folder: string;
  readonly jobs: Readonly<Record<Architecture, JobRecord>>;
}

/** A platform on which a small model of every family was trained as a job, once for all tests. */
const test = shared.extend<object, { readonly trained: Trained }>({
  baseURL: async ({ whole }, use) => {
    await use(whole.gateway.url);
  },
  trained: [
    async ({ whole }, use) => {
      const { url: gateway } = whole.gateway;
      const folder = mkdtempSync(join(tmpdir(), 'spikegrid-families-'));
      await Promise.all([inferenceReady(gateway), whole.startTrainer('families')]);
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

const post = (url: string, body?: unknown) =>
  fetch(url, {
    method: 'POST',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });

async function answered(response: Response): Promise<InferAnswer> {
  const body = await response.text();
  expect(response.status, body).toBe(200);
  return InferAnswer.parse(JSON.parse(body));
}

for (const architecture of ARCHITECTURES) {
  const row = ROWS[architecture];
  const inputs = Object.fromEntries(row.asked.map((name) => [name, valueOf(architecture, name)]));
  const requestTo = ({ model }: JobRecord, given: object = inputs) => ({
    model_id: model!.model_id,
    version: model!.version,
    inputs: given,
    config: { max_length: 5, temperature: 0, seed: 3 },
  });
  const isFloat = architecture === 'standard_transformer';

  test(`${architecture}: its job is measured, its model answers over HTTP`, async ({ trained }) => {
    const { gateway, jobs } = trained;
    const job = jobs[architecture];
    expect(job.metrics.train_loss).toBeGreaterThan(0);
    // A network of numbers has no spikes, here and in everything below.
    expect(job.metrics.spike_rate === null).toBe(isFloat);

    // Without a body, as anybody would type it.
    const loaded = await post(`${gateway}/inference/load_model/${job.model!.model_id}`, undefined);
    expect(loaded.status, await loaded.text()).toBe(200);
    const request = requestTo(job);
    const first = await answered(await post(`${gateway}/inference/infer`, request));
    expect(Object.keys(first.outputs).toSorted()).toEqual([...row.outputs].toSorted());
    const { total, rate, break_even_rate, synaptic_ops } = first.spikes;
    for (const figure of [total, rate, break_even_rate, synaptic_ops]) {
      expect(figure === null).toBe(isFloat);
    }
    for (const path of ['/inference/v1/infer', '/v1/infer']) {
      const { outputs } = await answered(await post(gateway + path, request));
      expect(outputs).toEqual(first.outputs);
    }
    let deltas = '';
    let whole: unknown;
    const stream = await post(`${gateway}/inference/infer`, { ...request, stream: true });
    for await (const { event, data } of readEvents(stream)) {
      if (event === 'done') whole = InferAnswer.parse(JSON.parse(data)).outputs;
      else if (data !== '[DONE]') deltas += JSON.parse(data).delta;
    }
    expect(whole).toEqual(first.outputs);
    expect(deltas).toBe('text' in first.outputs ? first.outputs.text : '');
    const batch = await post(`${gateway}/inference/batch_infer`, { requests: [request, request] });
    expect(await batch.json()).toMatchObject({ succeeded: 2, failed: 0 });
    const atEdge = await answered(await post(`${gateway}/edge-inference/infer`, request));
    expect(Object.keys(atEdge.outputs)).toEqual(Object.keys(first.outputs));
  });

  test(`${architecture}: refuses what it does not take, naming what it does`, async ({
    trained,
  }) => {
    const { gateway, jobs } = trained;
    const strange = INPUT_NAMES.filter((name) => !row.takes[name]);
    for (const service of ['inference', 'edge-inference']) {
      for (const name of strange) {
        const given = {
          ...inputs,
          [name]: name === 'text' ? 'x' : FILES[name].buffer.toString('base64'),
        };
        const refused = await post(
          `${gateway}/${service}/infer`,
          requestTo(jobs[architecture], given),
        );
        const problem = (await refused.json()) as {
          readonly detail: string;
          readonly code: string;
        };
        expect([refused.status, problem.code]).toEqual([422, 'validation_failed']);
        for (const taken of Object.keys(row.takes)) {
          expect(problem.detail).toContain(`inputs.${taken}`);
        }
      }
    }
  });

  test(`${architecture}: answers by the Open Inference Protocol`, async ({ trained }) => {
    const { gateway, jobs } = trained;
    const { model_id: id } = jobs[architecture].model!;
    const described = await (await fetch(`${gateway}/inference/v2/models/${id}`)).json();
    expect(described.platform).toBe(`spikegrid_${architecture}`);
    const names = (tensors: readonly { readonly name: string }[]) =>
      tensors.map(({ name }) => name);
    expect(names(described.inputs).toSorted()).toEqual(Object.keys(row.takes).toSorted());

    const tensors = row.asked.map((name) => {
      return { name, datatype: 'BYTES', shape: [1], data: [valueOf(architecture, name)] };
    });
    const asked = await post(`${gateway}/inference/v2/models/${id}/infer`, {
      inputs: tensors,
      parameters: { max_length: 5, temperature: 0, seed: 3 },
    });
    expect(asked.status).toBe(200);
    const { outputs } = await asked.json();
    expect(names(outputs)).toEqual(names(described.outputs));
    const { outputs: plain } = await answered(
      await post(`${gateway}/inference/infer`, {
        ...requestTo(jobs[architecture]),
        version: undefined,
      }),
    );
    const [first] = outputs;
    expect(first.data[0]).toBe('text' in plain ? plain.text : plain.classes[0]?.label);
  });

  test(`${architecture}: answers to commands, and is evaluated`, async ({ trained }) => {
    const { gateway, folder, jobs } = trained;
    const { model_id, version } = jobs[architecture].model!;
    const model = ['--model', `${model_id}@${version}`, '--gateway', gateway];
    const files = row.asked.flatMap((name) => {
      if (name === 'text') return [];
      const file = fileOf(architecture, name);
      const path = join(folder, file.name);
      writeFileSync(path, file.buffer);
      return [[name, path] as const];
    });
    const prompt = row.takes.text ? ['--prompt', 're'] : [];
    const device = ['--device', 'wasm', '--threads', '1'];
    const how = ['--tokens', '5', '--temperature', '0', ...prompt];

    const given = files.flatMap(([name, path]) => [`--${name}`, path]);
    const asked = await runSpikegrid('infer', ...model, ...given, ...how, '--json');
    const answer = InferAnswer.parse(JSON.parse(asked.stdout));
    expect(Object.keys(answer.outputs).toSorted()).toEqual([...row.outputs].toSorted());
    expect(asked.stderr).not.toContain('NaN');
    if (isFloat) expect(asked.stderr).toContain('no neuron fires');
    if (row.command && 'text' in answer.outputs) {
      const shown = row.command === 'caption' ? given : [];
      const { stdout } = await runSpikegrid(
        row.command,
        ...model,
        ...shown,
        ...how,
        ...device,
        '--json',
      );
      const said = JSON.parse(stdout) as { readonly text?: string; readonly caption?: string };
      expect(said.caption ?? `re${said.text}`).toBe(`re${answer.outputs.text}`);
    }
    const data = ['--data', dataOf(folder, architecture), '--json', ...device];
    const { stdout } = await runSpikegrid('evaluate', ...model, ...data);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ status: 'complete', unit: row.unit, model: { architecture } });
    expect(stdout).not.toContain('NaN');
    expect('spikes' in report && isFloat).toBe(false);
  });

  test(`${architecture}: is asked on the playground with what it takes`, async ({
    page,
    trained,
  }) => {
    const { model_id, version } = trained.jobs[architecture].model!;
    const model = `${model_id}@${version}`;
    await page.goto(`/playground?model=${model}&max_length=5&temperature=0`);
    const fields = fieldsOf(page);
    for (const name of INPUT_NAMES) {
      await expect(fields[name]).toHaveCount(row.takes[name] ? 1 : 0);
    }
    const ask = page.getByRole('button', { name: 'Ask', exact: true });
    const needed = row.asked.filter((name) => name !== 'text' && row.takes[name] === 'needed');
    for (const name of needed) {
      await expect(
        page.getByText(`Choose a ${name === 'image' ? 'picture' : 'sound'} first.`),
      ).toBeVisible();
    }
    for (const name of row.asked) {
      if (name === 'text') await fields.text.fill('re');
      else await fields[name].setInputFiles(fileOf(architecture, name));
    }
    await ask.click();

    const panel = page.getByRole('region', { name: model, exact: true });
    const isWritten = row.outputs.includes('text');
    await expect(panel).toContainText(isWritten ? /\d+ tokens? in/ : /Answered in/, {
      timeout: 30_000,
    });
    await expect(page.getByRole('region', { name: `Answer of ${model}`, exact: true })).toHaveCount(
      isWritten ? 1 : 0,
    );
    await expect(panel.getByRole('table', { name: `Classes by ${model}` })).toHaveCount(
      row.outputs.includes('classes') ? 1 : 0,
    );
    await expect(panel).toContainText(
      isFloat ? 'No neuron of this model fires' : /spiking wins only below a firing rate of/,
    );
    await expect(page.locator('main')).not.toContainText('NaN');
    expect(await violations(page)).toEqual([]);
  });
}

const fieldsOf = (page: Page): Readonly<Record<InputName, Locator>> => ({
  text: page.getByRole('textbox', { name: 'Prompt', exact: true }),
  image: page.getByLabel('Picture', { exact: true }),
  audio: page.getByLabel('Sound', { exact: true }),
});

/** One text is a file, everything else a folder. */
function dataOf(folder: string, architecture: Architecture): string {
  const { files } = familyCases[architecture].data;
  const isText = familyFacts[architecture].category === 'LangText';
  return join(folder, architecture, isText ? (files[0]?.path ?? '') : '');
}
