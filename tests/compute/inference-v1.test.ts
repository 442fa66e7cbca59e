import { afterAll, beforeAll, expect, it } from 'vitest';
import { callEndpoint } from '../../edge/contract/endpoint-client.ts';
import { gatewayEndpoints } from '../../edge/contract/gateway-endpoints.ts';
import { openHttp } from '../../edge/contract/http-client.ts';
import type { InferRequestInput } from '../../edge/contract/inference/infer.ts';
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

/** What differs between two times of asking: how long it took, and the trace. */
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
