import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessEndpoints } from '../../edge/access/endpoints.ts';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import { gatewayEndpoints } from '../../edge/gateway/endpoints.ts';
import type { InferRequestInput } from '../../edge/inference/contract/infer.ts';
import {
  asking,
  type InferencePlatform,
  type Served,
  startInferencePlatform,
} from './inference-platform.ts';

/** A model asked at the gateway's `/v1/infer`, beside the same of the inference service itself. */
let platform: InferencePlatform;
let served: Served;
beforeAll(async () => {
  platform = await startInferencePlatform();
  await platform.register('fox');
  served = await platform.serve();
  const http = openHttp({ base: platform.gateway });
  const body = { name: 'inference', url: served.base };
  await callEndpoint(http, gatewayEndpoints.registerService, { body });
});
afterAll(() => platform.end());

/** Fields that differ between two identical requests: timing and trace. */
const VARYING = /"(?:timing":\{[^}]*\}|trace_id":"[^"]*")/g;

async function ask(base: string, json: unknown) {
  const answer = await fetch(`${base}/v1/infer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof json === 'string' ? json : JSON.stringify(json),
  });
  const text = (await answer.text()).replaceAll(VARYING, '');
  return { status: answer.status, type: answer.headers.get('content-type'), text };
}

const fox: InferRequestInput = { ...asking('fox', 20), id: 'same' };

it.each([
  ['a text', fox, 200],
  ['a model that is not there', { ...fox, model_id: 'wolf' }, 404],
  ['a body of another form', { ...fox, config: { temperature: -1 } }, 422],
  ['no JSON', '{', 400],
])('%s is answered alike', async (_, json, status) => {
  const [there, here] = [await ask(served.base, json), await ask(platform.gateway, json)];

  expect(here).toEqual(there);
  expect(here.status).toBe(status);
});

it('a stream holds the same text and ends alike, however it is cut into frames', async () => {
  const streamed = { ...fox, stream: true };
  const [there, here] = [await ask(served.base, streamed), await ask(platform.gateway, streamed)];
  const written = ({ text }: typeof here) =>
    [...text.matchAll(/"delta":("(?:[^"\\]|\\.)*")/g)]
      .map(([, delta]) => String(JSON.parse(delta ?? '""')))
      .join('');
  const end = ({ text }: typeof here) => text.slice(text.indexOf('event: done'));

  expect([here.status, here.type]).toEqual([there.status, there.type]);
  expect(written(here)).toBe(written(there));
  expect(written(here)).not.toBe('');
  expect(end(here)).toBe(end(there));
  expect(end(here)).toContain('data: [DONE]');
});

async function keyOf(team: string): Promise<string> {
  const body = { name: team, scopes: ['infer' as const], team };
  const http = openHttp({ base: platform.gateway });
  return (await callEndpoint(http, accessEndpoints.createKey, { body })).body.key;
}

/** Members of a refusal that may name the model or identify the request. */
const SAID = /"(?:trace_id|instance|detail|error)":"([^"]*)"/g;

it('answers with a model to its team alone, whatever key the service itself has', async () => {
  const [own, other] = [await keyOf('default'), await keyOf('vision')];
  const send = async (key: string, path: string, json?: unknown, base = served.base) => {
    const answer = await fetch(base + path, {
      method: json === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    const said = text.replaceAll(SAID, (all, what) =>
      all.includes('detail') || all.includes('error') ? what.replaceAll('fox', 'wolf') : '',
    );
    return { status: answer.status, said };
  };
  const tensors = { inputs: [{ name: 'text', datatype: 'BYTES', shape: [1], data: ['the '] }] };
  const v2 = '/v2/models/fox';
  expect((await send(own, '/v1/infer', fox, platform.gateway)).status).toBe(200);
  expect((await send(own, '/load_model/fox', {})).status).toBe(200);

  for (const [path, json] of [
    ['/infer', fox],
    ['/infer', { ...fox, version: '1.0.0' }],
    ['/infer', { ...fox, alias: 'production' }],
    ['/load_model/fox', {}],
    ['/unload_model/fox', {}],
    [v2, undefined],
    [`${v2}/ready`, undefined],
    [`${v2}/versions/1.0.0`, undefined],
    [`${v2}/infer`, tensors],
  ] as const) {
    const unknown = JSON.parse(JSON.stringify(json ?? null).replaceAll('fox', 'wolf'));
    const theirs = await send(other, path, json);
    expect(theirs, path).toEqual(
      await send(other, path.replace('fox', 'wolf'), unknown ?? undefined),
    );
    expect(theirs.status, path).toBe(404);
  }
  const passedOn = await send(other, '/v1/infer', fox, platform.gateway);
  expect(passedOn.status).toBe(404);
  const batch = await send(other, '/batch_infer', { requests: [fox] });
  expect(batch.said).toContain('model_not_found');
  expect((await send(other, '/models')).said).not.toContain('fox');
  expect((await send(own, '/models')).said).toContain('fox');
});
