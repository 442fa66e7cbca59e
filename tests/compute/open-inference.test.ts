import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { greyPng, pixelsOf, trainedClasses, wavOf } from './class-models.ts';
import {
  asking,
  type InferencePlatform,
  type Served,
  startInferencePlatform,
} from './inference-platform.ts';

/* The protocol's published REST description is the oracle: see the fixture's `source`. */

interface Description {
  /** By path and method: the schema of the body and of each status, null where the text says it. */
  readonly paths: Record<string, Record<string, Record<string, string | null>>>;
  readonly components: { readonly schemas: Record<string, object> };
}
const fixture = new URL('fixtures/open-inference-v2.json', import.meta.url);
const published = JSON.parse(readFileSync(fixture, 'utf8')) as Description;

let platform: InferencePlatform;
let served: Served;
beforeAll(async () => {
  platform = await startInferencePlatform();
  await platform.register('fox');
  await platform.register('fox', '1.1.0');
  await platform.register('halves', '1.0.0', await trainedClasses('spiking_vision'));
  await platform.register('tones', '1.0.0', await trainedClasses('spiking_audio'));
  served = await platform.serve();
  await served.post('/load_model/fox', {});
  await served.post('/load_model/fox', { version: '1.0.0' });
});
afterAll(() => platform.end());

const ajv = new Ajv({ strict: false });
ajv.addSchema(published, 'published');

function expectForm(schema: string, value: unknown): void {
  const validate = ajv.getSchema(`published#/components/schemas/${schema}`);
  expect(validate, `the description has ${schema}`).toBeDefined();
  expect(validate!(value), JSON.stringify(validate!.errors)).toBe(true);
}

const get = (path: string) => fetch(served.base + path);

const text = (data: unknown, shape: number[] = [1]) => ({
  inputs: [{ name: 'text', datatype: 'BYTES', shape, data }],
});
const asked = {
  ...text(['the quick ']),
  id: 'x1',
  parameters: { max_length: 12, seed: 7 },
};

describe('every path of the published description', () => {
  const body = (schema: string) => (schema === 'inference_request' ? asked : undefined);

  it.each(Object.entries(published.paths))('answers %s as described', async (path, methods) => {
    const url = served.base + path.replace('{name}', 'fox').replace('{version}', '1.0.0');
    for (const [method, answers] of Object.entries(methods)) {
      if (answers['body']) expectForm(answers['body'], body(answers['body']));
      const answer = await fetch(url, {
        method: method.toUpperCase(),
        ...(answers['body'] && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body(answers['body'])),
        }),
      });

      expect(answer.status).toBe(200);
      const value: unknown = await answer.json();
      if (answers['200']) expectForm(answers['200'], value);
    }
  });
});

describe('tensors of pictures and sounds', () => {
  const ask = async (model: string, request: object) => {
    const answer = await served.post(`/v2/models/${model}/infer`, request);
    const value = (await answer.json()) as {
      readonly error?: string;
      readonly outputs: readonly { name: string; shape: number[]; data: (string | number)[] }[];
    };
    return { status: answer.status, ...value };
  };
  const pixels = [...pixelsOf(1, 3)];
  const samples = Array.from({ length: 800 }, (_, i) => Math.fround(0.5 * Math.sin(i / 3)));

  it('are what the metadata of a model says', async () => {
    const metadata = async (model: string) => (await get(`/v2/models/${model}`)).json();

    const vision = await metadata('halves');
    expectForm('metadata_model_response', vision);
    expect(vision).toMatchObject({
      inputs: [{ name: 'image', datatype: 'UINT8', shape: [-1, 6, 6] }],
      outputs: [
        { name: 'label', datatype: 'BYTES', shape: [-1] },
        { name: 'probability', datatype: 'FP64', shape: [-1] },
        { name: 'labels', datatype: 'BYTES', shape: [-1, 2] },
        { name: 'probabilities', datatype: 'FP64', shape: [-1, 2] },
      ],
    });
    expect(await metadata('tones')).toMatchObject({
      inputs: [{ name: 'audio', datatype: 'FP32', shape: [-1, -1] }],
    });
  });

  it.each([
    ['UINT8', [1, 6, 6], pixels],
    ['UINT8', [1, 6, 6, 1], [Array.from({ length: 6 }, (_, i) => pixels.slice(6 * i, 6 * i + 6))]],
    ['FP32', [1, 6, 6], pixels.map((pixel) => Math.fround(pixel / 255))],
  ])('say of a picture in %s %j what its file says', async (datatype, shape, data) => {
    const image = { name: 'image', datatype, shape, data };
    const file = greyPng(6, 6, pixelsOf(1, 3)).toString('base64');
    const bytes = { name: 'image', datatype: 'BYTES', shape: [1], data: [file] };
    const told = await ask('halves', { inputs: [image] });

    expect(told.status, told.error).toBe(200);
    expect(told.outputs).toEqual((await ask('halves', { inputs: [bytes] })).outputs);
    expect(told.outputs).toMatchObject([
      { name: 'label', shape: [1] },
      { name: 'probability', shape: [1] },
    ]);
  });

  it('give all classes with their probabilities on request', async () => {
    const both = [...pixels, ...pixelsOf(0, 4)];
    const image = { name: 'image', datatype: 'UINT8', shape: [2, 6, 6], data: both };
    const outputs = [{ name: 'labels' }, { name: 'probabilities' }];
    const told = await ask('halves', { inputs: [image], outputs });
    const { outputs: single } = await ask('halves', { inputs: [image] });

    expect(told.status, told.error).toBe(200);
    expectForm('inference_response', told);
    const [labels, probabilities] = told.outputs;
    expect([labels!.shape, probabilities!.shape]).toEqual([
      [2, 2],
      [2, 2],
    ]);
    const sums = [0, 2].map(
      (at) => Number(probabilities!.data[at]) + Number(probabilities!.data[at + 1]),
    );
    for (const sum of sums) expect(sum).toBeCloseTo(1, 6);
    expect([labels!.data[0], labels!.data[2]]).toEqual(single[0]!.data);
    expect([probabilities!.data[0], probabilities!.data[2]]).toEqual(single[1]!.data);
  });

  it('say of a sound in FP32 and UINT8 what its file says', async () => {
    const levels = samples.map((sample) => Math.round(sample * 127) + 128);
    const coarse = levels.map((level) => (level - 128) / 128);
    const probabilityOf = async (input: object) => {
      const told = await ask('tones', { inputs: [input], outputs: [{ name: 'probability' }] });
      expect(told.status, told.error).toBe(200);
      return Number(told.outputs[0]!.data[0]);
    };
    const audio = (datatype: string, data: number[]) => ({
      ...{ name: 'audio', datatype, shape: [1, data.length], data },
    });
    const file = wavOf(samples).toString('base64');
    const own = await probabilityOf({ name: 'audio', datatype: 'BYTES', shape: [1], data: [file] });

    expect(await probabilityOf(audio('FP32', samples))).toBeCloseTo(own, 2);
    expect(await probabilityOf(audio('UINT8', levels))).toBe(
      await probabilityOf(audio('FP32', coarse)),
    );
  });

  it.each<[string, string, object, RegExp]>([
    [
      'another size',
      'halves',
      { datatype: 'UINT8', shape: [1, 5, 6], data: [1] },
      /expected \[n, 6, 6\]/,
    ],
    ['too few', 'halves', { datatype: 'UINT8', shape: [1, 6, 6], data: [1] }, /with 1 numbers/],
    [
      'a pixel',
      'halves',
      { datatype: 'UINT8', shape: [1, 6, 6], data: Array(36).fill(256) },
      /got 256/,
    ],
    [
      'a float',
      'halves',
      { datatype: 'FP32', shape: [1, 6, 6], data: Array(36).fill(2) },
      /from 0 to 1/,
    ],
    [
      'a type',
      'halves',
      { datatype: 'INT64', shape: [1, 6, 6], data: pixels },
      /UINT8, FP32 or BYTES/,
    ],
    [
      'a picture to hear',
      'tones',
      { datatype: 'UINT8', shape: [1, 6, 6], data: pixels },
      /no pictures/,
    ],
  ])('are refused for %s that does not fit', async (_name, model, input, message) => {
    const told = await ask(model, { inputs: [{ name: 'image', ...input }] });

    expect(told.status).toBe(400);
    expect(told.error).toMatch(message);
  });
});

describe('the open inference protocol', () => {
  it('says what the server and its models are', async () => {
    expect(await (await get('/v2')).json()).toMatchObject({ name: 'spikegrid' });
    const model = await (await get('/v2/models/fox')).json();

    expectForm('metadata_model_response', model);
    expect(model).toMatchObject({
      name: 'fox',
      versions: ['1.1.0', '1.0.0'],
      inputs: [{ name: 'text', datatype: 'BYTES', shape: [-1] }],
      outputs: [{ name: 'text', datatype: 'BYTES', shape: [-1] }],
    });
  });

  it('distinguishes a loaded model from one that is not', async () => {
    const ready = async (path: string) => {
      const answer = await get(`/v2/models/${path}/ready`);
      return [answer.status, await answer.json()] as const;
    };
    await served.infer({ ...asking('fox', 1), version: '1.1.0' });

    expect(await ready('fox/versions/1.1.0')).toEqual([200, { name: 'fox', ready: true }]);
    await served.post('/unload_model/fox?version=1.1.0', {});
    expect(await ready('fox/versions/1.1.0')).toEqual([400, { name: 'fox', ready: false }]);
    expect((await get('/v2/models/wolf/ready')).status).toBe(404);
    expect((await get('/v2/health/ready')).status).toBe(200);
  });

  it('writes the text that /infer writes', async () => {
    const answer = await served.post('/v2/models/fox/versions/1.0.0/infer', asked);

    const value = (await answer.json()) as { outputs: { data: string[] }[] };
    expectForm('inference_response', value);
    const { outputs } = await served.infer({ ...asking('fox', 12), version: '1.0.0' });
    expect(value).toMatchObject({
      id: 'x1',
      model_name: 'fox',
      model_version: '1.0.0',
      outputs: [{ name: 'text', datatype: 'BYTES', shape: [1], data: [outputs.text] }],
    });
  });

  it('takes several texts, nested as their shape is or flat', async () => {
    const prompts = ['the quick ', 'she sells ', 'the lazy ', 'sea '];
    const outputsOf = async (data: unknown) => {
      const parameters = { max_length: 6, seed: 3 };
      const request = { ...text(data, [2, 2]), parameters };
      const answer = await served.post('/v2/models/fox/infer', request);
      const { outputs } = (await answer.json()) as { outputs: unknown };
      return outputs;
    };
    const flat = await outputsOf(prompts);
    const nested = await outputsOf([prompts.slice(0, 2), prompts.slice(2)]);

    expect(nested).toEqual(flat);
    expect(flat).toMatchObject([{ shape: [2, 2] }]);
  });

  it.each([
    ['no such model', 'wolf', asked, 404, /wolf/],
    ['another input', 'fox', { inputs: [{ ...asked.inputs[0], name: 'image' }] }, 400, /got image/],
    ['numbers', 'fox', { inputs: [{ ...asked.inputs[0], datatype: 'FP32' }] }, 400, /got FP32/],
    ['a shape that does not fit', 'fox', text(['a'], [2]), 400, /\[2\] does not fit 1 elements/],
    ['no inputs', 'fox', {}, 400, /inputs/],
    ['what is no text', 'fox', text([3]), 400, /BYTES are strings, got 3/],
    ['a parameter nobody knows', 'fox', { ...asked, parameters: { heat: 2 } }, 400, /heat/],
    ['a value that cannot be', 'fox', { ...asked, parameters: { max_length: -2 } }, 400, /-2/],
    ['an output that there is not', 'fox', { ...asked, outputs: [{ name: 'mind' }] }, 400, /mind/],
    ['a character it never saw', 'fox', text(['Ω']), 400, /Ω/],
  ])('refuses %s in its own form', async (...row) => {
    const [, model, request, status, error] = row;
    const answer = await served.post(`/v2/models/${model}/infer`, request);

    const value = (await answer.json()) as { error: string };
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expectForm('inference_error_response', value);
    expect(value.error).toMatch(error);
  });

  it('refuses a body that is no JSON, and a path that is not there, in its own form', async () => {
    const broken = await fetch(`${served.base}/v2/models/fox/infer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    const nowhere = await get('/v2/nowhere');

    expect([broken.status, nowhere.status]).toEqual([400, 404]);
    for (const answer of [broken, nowhere]) {
      expectForm('inference_error_response', await answer.json());
    }
  });
});
