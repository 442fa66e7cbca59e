import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { legacyEndpoints } from '../../edge/gateway/endpoints.ts';
import { type Edge, postJson, problemOf, startEdge } from './harness.ts';
import { closedAddress, startUpstream, type Upstream } from './upstream.ts';

let inference: Upstream;
let edge: Edge;
beforeAll(async () => {
  inference = await startUpstream((request, response) => {
    // It never answers who asks it to be slow.
    if (request.headers['x-slow'] === undefined) response.end('{}');
  });
  const vars = { UPSTREAMS: { inference: inference.url }, UPSTREAM_TIMEOUT_MS: 1000 };
  edge = await startEdge({ vars });
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await inference[Symbol.asyncDispose]();
});

const { maxBodyBytes } = legacyEndpoints.generate;

function generate(body: string, headers: Readonly<Record<string, string>> = {}, at = edge) {
  return fetch(new URL('/api/generate', at.gateway), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

const codeOf = async (answer: Response) => (await problemOf(answer)).code;

describe('a prompt is not answered', () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['by a service that takes too long', 'upstream_timeout', { 'x-slow': 'yes' }],
    ['where requests run in a circle', 'loop_detected', { 'x-spikegrid-hops': '3' }],
  ])('%s: %s', async (_, code, headers) => {
    expect(await codeOf(await generate('{"prompt":"x"}', headers))).toBe(code);
  });

  it('that is longer than any may be', async () => {
    expect(await codeOf(await generate('x'.repeat(maxBodyBytes + 1)))).toBe('payload_too_large');
  });

  it('with the Idempotency-Key of another one', async () => {
    const headers = { 'idempotency-key': 'one' };
    await generate('{"prompt":"one"}', headers);

    expect(await codeOf(await generate('{"prompt":"two"}', headers))).toBe('idempotency_mismatch');
  });

  it('where no instance of the service is well', async () => {
    const vars = { TARGET_ALLOWLIST: ['127.0.0.1'] };
    await using alone = await startEdge({ vars });
    const url = await closedAddress();
    await postJson(new URL('/services/register', alone.gateway), { name: 'inference', url });

    const refused = async () => codeOf(await generate('{"prompt":"x"}', {}, alone));

    // Until it was probed for the first time, it is tried.
    await expect.poll(refused, { timeout: 10_000 }).toBe('no_healthy_instance');
  });
});
