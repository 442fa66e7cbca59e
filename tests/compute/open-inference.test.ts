import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  served = await platform.serve();
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

  it('tells a model that is loaded from one that is not', async () => {
    const ready = async (path: string) => (await get(`/v2/models/${path}/ready`)).json();
    await served.infer({ ...asking('fox', 1), version: '1.1.0' });

    expect(await ready('fox/versions/1.1.0')).toEqual({ name: 'fox', ready: true });
    await served.post('/unload_model/fox?version=1.1.0', {});
    expect(await ready('fox/versions/1.1.0')).toEqual({ name: 'fox', ready: false });
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
