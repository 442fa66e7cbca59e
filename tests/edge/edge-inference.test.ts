import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Health } from '../../edge/health/contract/health.ts';
import { type InferRequestInput, InferResponse } from '../../edge/inference/contract/infer.ts';
import { LoadAnswer, LoadedModels } from '../../edge/inference/contract/loaded-model.ts';
import type { CheckpointFiles } from '../../engine/index.ts';
import { eventually } from './eventually.ts';
import { type Edge, postJson, problemOf, startEdge } from './harness.ts';
import { openRequest } from './raw-http.ts';
import { registerSmall, trainSmall, writeHere } from './small-model.ts';

let edge: Edge;
let files: CheckpointFiles;
let wide: CheckpointFiles;
let bpe: CheckpointFiles;

beforeAll(async () => {
  [edge, files, wide, bpe] = await Promise.all([
    startEdge(),
    trainSmall(20),
    // 1.6 million parameters: slow enough for others to come in between.
    trainSmall(1, { width: 256, heads: 4, blocks: 2, batch: 1 }),
    trainSmall(20, {}, { learn: { kind: 'bpe', vocabulary: 290 } }),
  ]);
  await registerSmall(edge.registry, files, { id: 'small' });
  await registerSmall(edge.registry, wide, { id: 'wide' });
  await registerSmall(edge.registry, bpe, { id: 'bpe' });
}, 120_000);
afterAll(() => edge[Symbol.asyncDispose]());

const at = (path: string) => new URL(path, edge['edge-inference']);
const ask = (request: InferRequestInput, path = '/infer') => postJson(at(path), request);
const infer = async (request: InferRequestInput) => {
  const answer = await ask(request);
  expect(answer.status, await answer.clone().text()).toBe(200);
  return InferResponse.parse(await answer.json());
};
const short = (model: string, more: Partial<InferRequestInput> = {}): InferRequestInput => ({
  model_id: model,
  inputs: { text: 'she ' },
  config: { max_length: 20, seed: 5 },
  ...more,
});
const long = (more: Partial<InferRequestInput> = {}): InferRequestInput =>
  short('wide', { config: { max_length: 2_000, seed: 1 }, ...more });
const requestsOf = (models: LoadedModels['models']) =>
  models.find(({ model_id: id }) => id === 'wide')?.requests ?? 0;
const listed = async () => LoadedModels.parse(await (await fetch(at('/models'))).json()).models;

describe('a text at the edge', () => {
  it.each(['/infer', '/v1/infer'])('is what the engine writes in Node, at %s', async (path) => {
    const expected = await writeHere(files, { prompt: 'she ', tokens: 40, seed: 5 });

    const answer = await ask(short('small', { config: { max_length: 40, seed: 5 } }), path);
    const { outputs, usage, ...rest } = InferResponse.parse(await answer.json());

    expect(outputs.text).toBe(expected);
    expect(usage).toEqual({ prompt_tokens: 4, completion_tokens: 40, total_tokens: 44 });
    expect(rest).toMatchObject({ finish_reason: 'length', model_version: '1.0.0', seed: 5 });
    expect(rest.spikes.total).toBeGreaterThan(0);
    expect(rest.spikes.energy.with_memory_pj).toBeGreaterThan(rest.spikes.energy.compute_pj);
  });

  it('is what the engine writes in tokens of bytes, with the prompt counted in them', async () => {
    const { outputs, usage } = await infer(short('bpe', { inputs: { text: 'she 海' } }));

    expect(outputs.text).toBe(await writeHere(bpe, { prompt: 'she 海', tokens: 20, seed: 5 }));
    expect([...outputs.text].length).toBeGreaterThan(20);
    // `she` and its space are at most four tokens; the character was never seen and is three bytes.
    expect(usage.prompt_tokens).toBeGreaterThan(3);
    expect(usage.prompt_tokens).toBeLessThan(8);
    expect(usage.completion_tokens).toBe(20);
  });

  it('comes token by token, and then as a whole', async () => {
    const answer = await ask(short('small', { stream: true }));
    const frames = (await answer.text()).trimEnd().split('\n\n');
    const done = frames.at(-2)?.replace('event: done\ndata: ', '') ?? '';
    const chunks = frames.slice(0, -2).map((frame) => JSON.parse(frame.replace('data: ', '')));
    const whole = InferResponse.parse(JSON.parse(done));

    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(chunks.map(({ delta }) => delta).join('')).toBe(whole.outputs.text);
    expect(chunks.at(-1)).toMatchObject({ delta: '', finish_reason: 'length' });
    expect(frames.at(-1)).toBe('data: [DONE]');
    expect(whole.outputs.text).toBe((await infer(short('small'))).outputs.text);
  });

  it('ends before a stop sequence, and shows its spikes on request', async () => {
    const { outputs } = await infer(short('small'));
    const stop = outputs.text.slice(8, 10);
    const config = { max_length: 20, seed: 5, stop: [stop], raster: true };

    const stopped = await infer(short('small', { config }));

    expect(stopped.finish_reason).toBe('stop');
    expect(stopped.outputs.text).toBe(outputs.text.slice(0, outputs.text.indexOf(stop)));
    const bits = (stopped.raster ?? []).map((layer) => Buffer.from(layer.bits, 'base64'));
    const fired = bits.flatMap((bytes) => [...bytes]).map((byte) => byte.toString(2));
    expect(fired.join('').replaceAll('0', '')).toHaveLength(stopped.spikes.total!);
  });

  it('is written through the gateway, too', async () => {
    const answer = await postJson(new URL('/edge-inference/infer', edge.gateway), short('small'));

    expect(InferResponse.parse(await answer.json()).usage.completion_tokens).toBe(20);
  });
});

describe('the version that answers', () => {
  it('is the default one, the one that is named, or that of an alias', async () => {
    const other = await trainSmall(2);
    await registerSmall(edge.registry, other, { id: 'versions' });
    await registerSmall(edge.registry, files, { id: 'versions', version: '1.1.0' });
    await fetch(new URL('/models/versions/aliases/old', edge.registry), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"version":"1.0.0"}',
    });

    const chosen = [{}, { version: '1.0.0' }, { version: '1.1.0' }, { alias: 'old' }];
    const answers = [];
    for (const choice of chosen) answers.push(await infer(short('versions', choice)));

    const versions = answers.map(({ model_version: version }) => version);
    expect(versions).toEqual(['1.1.0', '1.0.0', '1.1.0', '1.0.0']);
    expect(answers[1]?.outputs.text).toBe(
      await writeHere(other, { prompt: 'she ', tokens: 20, seed: 5 }),
    );
  });
});

describe('a request', () => {
  it.each(['/infer', '/v1/infer'])('is given up once it is late, at %s', async (path) => {
    const problem = await problemOf(await ask(long({ timeout_ms: 30 }), path));

    expect(problem).toMatchObject({
      code: 'upstream_timeout',
      detail: 'The answer was not complete after 30 ms.',
    });
  });

  it('that is reset makes room for the next', async () => {
    await infer(short('wide'));
    const before = requestsOf(await listed());
    const body = new TextEncoder().encode(JSON.stringify(long()));
    const waiting = openRequest(edge['edge-inference'], [
      'POST /infer HTTP/1.1',
      `Host: ${edge['edge-inference'].host}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]);
    await waiting.write(body);
    await eventually(listed, (models) => requestsOf(models) > before);
    waiting.reset();

    const { timing } = await infer(short('wide'));

    expect(timing.queue_ms).toBeLessThan(500);
  });

  it('that is streamed and hangs up makes room for the next', async () => {
    await infer(short('wide'));
    const gone = new AbortController();
    const hungUp = await fetch(at('/infer'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(long({ stream: true })),
      signal: gone.signal,
    });
    await hungUp.body?.getReader().read();
    gone.abort();

    const { timing } = await infer(short('wide'));

    expect(timing.queue_ms).toBeLessThan(500);
  });
});

describe('many requests at once', () => {
  it('wait for each other, and those beyond sixteen are refused with Retry-After', async () => {
    const alone = await infer(short('wide'));
    const before = await fetch(at('/infer'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(long({ stream: true })),
    });
    const reader = before.body!.getReader();
    await reader.read();
    const asked = Array.from({ length: 20 }, () => ask(short('wide')));
    const refused = await eventually(
      () => Promise.all(asked.map((one) => Promise.race([one, undefined]))),
      (answers) => answers.filter((answer) => answer !== undefined).length === 4,
    );
    await reader.cancel();
    const answers = (await Promise.all(asked)).filter(({ status }) => status === 200);
    const texts = await Promise.all(
      answers.map(async (one) => InferResponse.parse(await one.json())),
    );

    expect(texts).toHaveLength(16);
    expect(new Set(texts.map(({ outputs }) => outputs.text))).toEqual(
      new Set([alone.outputs.text]),
    );
    for (const answer of refused.filter((one) => one !== undefined)) {
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(await problemOf(answer)).toMatchObject({
        code: 'rate_limited',
        detail: '16 requests wait for wide@1.0.0 already, expected at most 16.',
      });
    }
  });

  it('leave the isolate to others between two slices', async () => {
    await infer(short('wide'));
    const writing = infer(long());
    const over = writing.then(() => true);
    let answered = 0;
    while (!(await Promise.race([over, fetch(at('/health/live')).then(() => false)])))
      answered += 1;

    // Were it kept busy, the first of them would be answered after the text.
    expect((await writing).usage.completion_tokens).toBe(2_000);
    expect(answered).toBeGreaterThan(5);
  });
});

describe('the cache', () => {
  it('holds two models and puts out the one that was not used for longest', async () => {
    await registerSmall(edge.registry, files, { id: 'third' });
    await infer(short('wide'));
    await infer(short('small'));

    const answer = await postJson(at('/load_model/third'), {});
    const { evicted, state } = LoadAnswer.parse(await answer.json());

    expect({ evicted, state }).toEqual({ evicted: ['wide@1.0.0'], state: 'READY' });
    const ready = (await listed()).filter((model) => model.state === 'READY');
    expect(ready.map(({ model_id: id }) => id)).toEqual(['third', 'small']);
    expect(ready[0]?.device).toContain('1 thread');
  });

  it('never evicts pinned models, and preloads without blocking', async () => {
    for (const model of ['small', 'third']) {
      await postJson(at(`/load_model/${model}`), { pin: true });
    }
    const full = await problemOf(await ask(short('wide')));
    await postJson(at('/load_model/small'), { pin: false });
    await postJson(at('/load_model/third'), { pin: false });

    const answer = await postJson(at('/load_model/wide?wait=false'), {});

    expect(full).toMatchObject({ code: 'model_cache_full' });
    expect(answer.status).toBe(202);
    expect(LoadAnswer.parse(await answer.json()).state).toBe('LOADING');
    const wideOnes = (found: Awaited<ReturnType<typeof listed>>) =>
      found.some(({ model_id: id, state }) => id === 'wide' && state === 'READY');
    await eventually(listed, wideOnes);
  });

  it('is reported at /health', async () => {
    const health = Health.parse(await (await fetch(at('/health'))).json());

    expect(health).toMatchObject({ status: 'ok', service: 'edge-inference' });
    expect(health.checks['cache']?.detail).toContain('of at most 2 models of 33554432 bytes');
  });
});
