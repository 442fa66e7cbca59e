import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import {
  BatchResponse,
  ClassResponse,
  type InferRequestInput,
} from '../../edge/inference/contract/infer.ts';
import {
  LoadAnswer,
  LoadedModels,
  type LoadRequestInput,
} from '../../edge/inference/contract/loaded-model.ts';
import { registryEndpoints } from '../../edge/registry/endpoints.ts';
import { greyPng, pixelsOf, trainedClasses, wavOf } from './class-models.ts';
import { type GateProxy, startGateProxy } from './gate-proxy.ts';
import {
  asking,
  eventually,
  type InferencePlatform,
  problemOf,
  type Served,
  startInferencePlatform,
} from './inference-platform.ts';

let platform: InferencePlatform;
let proxy: GateProxy;
let served: Served;
beforeAll(async () => {
  platform = await startInferencePlatform();
  for (const id of ['a', 'b', 'c']) await platform.register(id);
  await platform.register('a', '2.0.0');
  proxy = await startGateProxy(platform.gateway);
});
/** A server that has nothing loaded. */
async function startAnew(): Promise<void> {
  proxy.cut(undefined);
  await served?.server.close(0);
  served = await platform.serve({ gateway: proxy.address, cacheSize: 2 });
}
afterAll(async () => {
  await platform.end();
  await proxy[Symbol.asyncDispose]();
});

const load = (id: string, body: LoadRequestInput = {}, query = '') =>
  served.post(`/load_model/${id}${query}`, body);
const loaded = async (id: string, body: LoadRequestInput = {}) =>
  LoadAnswer.parse(await (await load(id, body)).json());
const unload = (id: string, query = '') =>
  fetch(`${served.base}/unload_model/${id}${query}`, { method: 'POST' });
const listed = async () => LoadedModels.parse(await (await fetch(`${served.base}/models`)).json());
const statesOf = async () =>
  (await listed()).models.map(({ model_id, version, state }) => `${model_id}@${version} ${state}`);

describe('the model cache', () => {
  beforeEach(startAnew);

  it('reports what is loaded, since when, and how it is used', async () => {
    const answer = await loaded('a');
    await served.infer(asking('a', 1));

    expect(answer).toMatchObject({ model_id: 'a', version: '2.0.0', state: 'READY', evicted: [] });
    const { models, cache } = await listed();
    expect(cache).toEqual({ capacity: 2, used: 1 });
    expect(models).toMatchObject([{ requests: 1, hits: 1, pinned: false, ttl_s: null }]);
    expect(models[0]!.digest).toBe((await served.infer(asking('a', 1))).model_digest);
  });

  it('loads requested models, and evicts the least recently used', async () => {
    await served.infer(asking('a', 1));
    await served.infer(asking('b', 1));
    await served.infer(asking('a', 1));

    expect(await loaded('c')).toMatchObject({ evicted: ['b@1.0.0'] });
    expect(await statesOf()).toEqual(['c@1.0.0 READY', 'a@2.0.0 READY']);
  });

  it('never evicts pinned models, and refuses more where all are pinned', async () => {
    await loaded('a', { pin: true });
    await loaded('b', { pin: true });

    expect(await problemOf(await load('c'))).toMatchObject({
      status: 409,
      code: 'model_cache_full',
    });
    expect(await problemOf(await served.ask(asking('c', 1)))).toMatchObject({ status: 409 });

    await loaded('a', { pin: false });
    expect(await loaded('c')).toMatchObject({ state: 'READY', evicted: ['a@2.0.0'] });
  });

  it('does not evict a model in use', async () => {
    const gone = new AbortController();
    const asked = ['a', 'b'].map((id) =>
      served.ask({ ...asking(id, 100_000), stream: true }, { signal: gone.signal }),
    );
    await Promise.all(asked);

    expect(await problemOf(await load('c'))).toMatchObject({ code: 'model_cache_full' });

    gone.abort();
    await eventually(async () => expect((await load('c')).status).toBe(200));
  });

  it('loads a model once for all concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, seed) => served.infer(asking('a', 2, { seed }))),
    );

    expect(answers).toHaveLength(8);
    const { models } = await listed();
    expect(models).toMatchObject([{ requests: 8, hits: 0 }]);
  });

  it('loads in the background where nobody wants to wait', async () => {
    const answer = await load('b', {}, '?wait=false');

    expect(answer.status).toBe(202);
    expect(await answer.json()).toMatchObject({ state: 'LOADING', loaded_at: null });
    await eventually(async () => expect(await statesOf()).toEqual(['b@1.0.0 READY']));
  });

  it('unloads once the requests under way are answered, then loads anew', async () => {
    const answer = served.infer(asking('a', 400));
    await eventually(async () => expect((await listed()).models[0]?.requests).toBe(1));

    const unloaded = unload('a');
    const next = served.infer(asking('a', 1));

    expect((await answer).usage.completion_tokens).toBe(400);
    expect(await (await unloaded).json()).toMatchObject({ model_id: 'a', state: 'UNAVAILABLE' });
    expect((await next).finish_reason).toBe('length');
    expect((await listed()).models).toMatchObject([{ requests: 1, hits: 0 }]);
  });

  it('unloads nothing that is not loaded', async () => {
    expect(await problemOf(await unload('a'))).toMatchObject({ code: 'model_not_found' });
    await loaded('a');
    expect(await problemOf(await unload('a', '?version=1.0.0'))).toMatchObject({ status: 404 });
  });

  it('unloads by itself what was not used for its ttl', async () => {
    await loaded('a', { ttl_s: 1 });

    expect(await statesOf()).toEqual(['a@2.0.0 READY']);
    await eventually(async () => expect(await statesOf()).toEqual([]));
  });

  it('follows an alias within some seconds', async () => {
    const registry = openHttp({ base: `${platform.gateway}/registry` });
    const point = (version: string) =>
      callEndpoint(registry, registryEndpoints.setAlias, {
        params: { id: 'a', alias: 'best' },
        body: { version },
      });
    await point('1.0.0');
    const versionOf = async () =>
      (await served.infer({ ...asking('a', 1), alias: 'best' })).model_version;

    expect(await versionOf()).toBe('1.0.0');
    await point('2.0.0');
    await eventually(async () => expect(await versionOf()).toBe('2.0.0'));
  });
});

describe('a registry that is away', () => {
  beforeEach(startAnew);

  it('is reported as 502 for models that are not loaded, and does not affect loaded ones', async () => {
    await served.infer(asking('a', 1));
    proxy.cut(/^\/registry/);

    expect(await problemOf(await served.ask(asking('b', 1)))).toMatchObject({
      status: 502,
      code: 'upstream_error',
    });
    expect((await served.infer(asking('a', 1))).model_version).toBe('2.0.0');
    expect((await served.infer({ ...asking('a', 1), version: '2.0.0' })).usage.total_tokens).toBe(
      11,
    );
  });

  it('leaves a model that was being loaded unavailable, with the reason, until it is back', async () => {
    proxy.cut(/model\.safetensors/);
    expect(await problemOf(await load('b'))).toMatchObject({ code: 'upstream_error' });

    const { models, cache } = await listed();
    expect(models).toMatchObject([{ model_id: 'b', state: 'UNAVAILABLE' }]);
    expect(models[0]?.reason).toMatch(/model\.safetensors of b 1\.0\.0/);
    expect(cache.used).toBe(0);

    proxy.cut(undefined);
    expect(await loaded('b')).toMatchObject({ state: 'READY', reason: '' });
  });
});

describe('a model whose files are not what its manifest says', () => {
  beforeEach(startAnew);

  it('answers nothing but 422', async () => {
    const bytes = platform.files.get('model.safetensors')!.slice();
    bytes[bytes.length - 1]! ^= 1;
    const altered = new Map([...platform.files, ['model.safetensors', bytes] as const]);
    await registerAltered('bent', altered);

    const problem = await problemOf(await served.ask(asking('bent', 1)));

    expect(problem).toMatchObject({ status: 422, code: 'digest_mismatch' });
    expect(problem.detail).toMatch(/model\.safetensors was altered/);
    expect(await statesOf()).toEqual(['bent@1.0.0 UNAVAILABLE']);
  });

  it('is none at all where a file is missing', async () => {
    const files = new Map([...platform.files].filter(([name]) => name !== 'tokenizer.json'));
    await registerAltered('torn', files);

    expect(await problemOf(await served.ask(asking('torn', 1)))).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });
});

describe('models of pictures and sounds', () => {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const picture = (width: number, height: number, label = 1) =>
    base64(greyPng(width, height, pixelsOf(label, 5)));
  const tone = Array.from({ length: 900 }, (_, i) => 0.4 * Math.sin((i * Math.PI) / 10));
  const ask = (model_id: string, inputs: InferRequestInput['inputs']) =>
    served.ask({ model_id, inputs });
  beforeAll(async () => {
    await platform.register('halves', '1.0.0', await trainedClasses('spiking_vision'));
    await platform.register('tones', '1.0.0', await trainedClasses('spiking_audio'));
    await startAnew();
  });

  it('classify an image, with confidence and cost', async () => {
    for (const label of [0, 1]) {
      const asked = await ask('halves', { image: picture(6, 6, label) });
      const { outputs, usage, spikes, batch, finish_reason } = ClassResponse.parse(
        await asked.json(),
      );

      expect(outputs.classes[0]?.label).toBe(`${label}`);
      expect(outputs.classes.reduce((sum, one) => sum + one.probability, 0)).toBeCloseTo(1, 9);
      expect(usage.total_tokens).toBe(0);
      expect({ batch, finish_reason }).toEqual({ batch: { size: 1 }, finish_reason: 'stop' });
      expect(spikes.total).toBeGreaterThan(0);
      // Every spike of the hidden layer reaches both classes.
      expect(spikes.synaptic_ops).toBe(2 * spikes.total!);
      expect(spikes.dense_macs).toBe(36 * 512 + 512 * 2);
    }
  });

  it('classify audio, in a batch as alone', async () => {
    const inputs = { audio: base64(wavOf(tone)) };
    const alone = ClassResponse.parse(await (await ask('tones', inputs)).json());
    const requests = [1, 2, 3].map(() => ({ model_id: 'tones', inputs }));
    const answer = await served.post('/batch_infer', { requests });
    const { results } = BatchResponse.parse(await answer.json());

    expect(alone.outputs.classes).toHaveLength(2);
    for (const { response } of results) {
      expect(response).toMatchObject({ outputs: alone.outputs, spikes: alone.spikes });
    }
  });

  it.each<[string, string, InferRequestInput['inputs'], RegExp]>([
    ['strange base64', 'halves', { image: 'ab!d' }, /^\/inputs\/image: "!" at character 2/],
    ['half of base64', 'halves', { image: 'abc' }, /3 characters of base64: expected a multiple/],
    ['a picture of another size', 'halves', { image: picture(9, 4) }, /9 x 4 pixels: .* 6 x 6$/],
    [
      'no picture',
      'halves',
      { image: base64(wavOf(tone)) },
      /^\/inputs\/image: the picture is no PNG/,
    ],
    ['a sound of nothing', 'tones', { audio: base64(wavOf([])) }, /0 bytes of samples: expected/],
    ['a text', 'halves', { text: 'a' }, /halves@1.0.0 reads image: .* \(got text\)$/],
    ['a picture to read', 'a', { image: picture(6, 6) }, /a@2.0.0 reads text: .* \(got image\)$/],
    ['nothing', 'halves', {}, /expected text, image or audio/],
  ])('refuse %s', async (_what, model, inputs, detail) => {
    const problem = await problemOf(await ask(model, inputs));

    expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(problem.detail).toMatch(detail);
  });

  it('answer as a whole, by the Open Inference Protocol too', async () => {
    const request = { model_id: 'halves', inputs: { image: picture(6, 6) } };
    const streamed = await (await served.ask({ ...request, stream: true })).text();
    const [last, done] = streamed.split('\n\n');
    expect(last).toMatch(/^data: .*"delta":"","finish_reason":"stop"/);
    expect(ClassResponse.parse(JSON.parse(done!.replace('event: done\ndata: ', '')))).toBeDefined();

    const asked = { name: 'image', datatype: 'BYTES', shape: [2] };
    const data = [picture(6, 6, 0), picture(6, 6, 1)];
    const answer = await served.post('/v2/models/halves/infer', { inputs: [{ ...asked, data }] });
    expect(await answer.json()).toMatchObject({
      outputs: [
        { name: 'label', shape: [2], data: ['0', '1'] },
        { name: 'probability', shape: [2] },
      ],
    });
  });
});

/** Registers files that no client of ours would upload. */
async function registerAltered(id: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const base = `${platform.gateway}/registry`;
  const registration = { model_id: id, name: id, version: '1.0.0', model_type: 'LangText' };
  const body = { ...registration, framework: 'spikegrid' };
  await callEndpoint(openHttp({ base }), registryEndpoints.registerModel, { body });
  for (const [filename, bytes] of files) {
    const answer = await fetch(`${base}/models/${id}/upload?version=1.0.0&filename=${filename}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes as Uint8Array<ArrayBuffer>,
    });
    expect(answer.status).toBe(201);
  }
}
