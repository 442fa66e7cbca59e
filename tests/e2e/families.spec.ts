import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { readEvents } from '../../edge/contract/event-stream.ts';
import { InferAnswer } from '../../edge/inference/contract/infer.ts';
import { INPUT_NAMES, type InputName } from '../../edge/inference/contract/request-inputs.ts';
import type { JobRecord } from '../../edge/training/contract/job.ts';
import { type Architecture, ARCHITECTURES } from '../../engine/index.ts';
import { violations } from './axe.ts';
import { expect } from './dashboard.ts';
import { dataOf, type FamilyRow, fileOf, FILES, ROWS, test, valueOf } from './family-matrix.ts';
import { runSpikegrid } from './spikegrid.ts';

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

/** Of all classes: answered where a request asks for them. */
const RANKED: readonly string[] = ['labels', 'probabilities'];

/** Families whose commands and pages `npm test` looks at: one that writes, one that sees, one that hears. */
const TYPICAL: readonly Architecture[] = [
  'dense_chronospike',
  'spiking_multimodal',
  'spiking_audio',
];

for (const architecture of ARCHITECTURES) {
  const details = TYPICAL.includes(architecture) ? {} : { tag: '@full' };
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
    // All classes are answered where they are asked for by name.
    const single = names(described.outputs).filter((name) => !RANKED.includes(name));
    expect(names(outputs)).toEqual(single);
    const { outputs: plain } = await answered(
      await post(`${gateway}/inference/infer`, {
        ...requestTo(jobs[architecture]),
        version: undefined,
      }),
    );
    const [first] = outputs;
    expect(first.data[0]).toBe('text' in plain ? plain.text : plain.classes[0]?.label);
  });

  test(`${architecture}: answers to commands, and is evaluated`, details, async ({ trained }) => {
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
    if (architecture === 'memoried_spikenetlm') await expectMemory(model, device);
    const data = ['--data', dataOf(folder, architecture), '--json', ...device];
    const { stdout } = await runSpikegrid('evaluate', ...model, ...data);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ status: 'complete', unit: row.unit, model: { architecture } });
    expect(stdout).not.toContain('NaN');
    expect('spikes' in report && isFloat).toBe(false);
  });

  test(
    `${architecture}: is asked on the playground with what it takes`,
    details,
    async ({ page, trained }) => {
      const { model_id, version } = trained.jobs[architecture].model!;
      const model = `${model_id}@${version}`;
      await page.goto(`/playground?model=${model}&max_length=5&temperature=0`);
      const ask = page.getByRole('button', { name: 'Run', exact: true });
      await expectInputs(page, row);
      await fillInputs(page, architecture, row);
      await ask.click();

      const panel = page.getByRole('region', { name: model, exact: true });
      const isWritten = row.outputs.includes('text');
      await expect(panel).toContainText(isWritten ? /\d+ tokens? in/ : /Completed in/, {
        timeout: 30_000,
      });
      await expect(
        page.getByRole('region', { name: `Response of ${model}`, exact: true }),
      ).toHaveCount(isWritten ? 1 : 0);
      await expect(panel.getByRole('table', { name: `Classes by ${model}` })).toHaveCount(
        row.outputs.includes('classes') ? 1 : 0,
      );
      await expect(panel).toContainText(
        isFloat ? 'This model has no spiking neurons' : /spiking wins only below a firing rate of/,
      );
      await expect(page.locator('main')).not.toContainText('NaN');
      expect(await violations(page)).toEqual([]);
    },
  );
}

const fieldsOf = (page: Page): Readonly<Record<InputName, Locator>> => ({
  text: page.getByRole('textbox', { name: 'Prompt', exact: true }),
  image: page.getByLabel('Image', { exact: true }),
  audio: page.getByLabel('Audio', { exact: true }),
});

/** A prompt that is read in chunks is remembered whole: `infer` and chunks of any length go on alike. */
async function expectMemory(model: readonly string[], device: readonly string[]) {
  const how = ['--prompt', 'redblue', '--tokens', '5', '--temperature', '0'];
  const { stdout } = await runSpikegrid('infer', ...model, ...how, '--json');
  const answer = InferAnswer.parse(JSON.parse(stdout));
  for (const chunk of ['3', '32']) {
    const written = await runSpikegrid(
      'generate',
      ...[...model, ...how, ...device, '--chunk', chunk, '--json'],
    );
    expect({ text: JSON.parse(written.stdout).text }).toMatchObject(
      'text' in answer.outputs ? { text: answer.outputs.text } : {},
    );
  }
  await expect(runSpikegrid('generate', ...model, '--chunk', '0')).rejects.toThrow(
    'chunk is 0: expected a whole number of tokens from 1 to 4096',
  );
}

/** The form has what the model takes and nothing else, and says what it still needs. */
async function expectInputs(page: Page, { takes }: FamilyRow): Promise<void> {
  const fields = fieldsOf(page);
  for (const name of INPUT_NAMES) {
    await expect(fields[name]).toHaveCount(takes[name] ? 1 : 0);
  }
  const missing = { image: 'an image', audio: 'an audio file' } as const;
  for (const name of ['image', 'audio'] as const) {
    const note = page.getByText(`Choose ${missing[name]} first.`);
    await expect(note).toHaveCount(takes[name] === 'needed' ? 1 : 0);
  }
}

async function fillInputs(page: Page, architecture: Architecture, { asked }: FamilyRow) {
  const fields = fieldsOf(page);
  for (const name of asked) {
    if (name === 'text') await fields.text.fill('re');
    else await fields[name].setInputFiles(fileOf(architecture, name));
  }
}
