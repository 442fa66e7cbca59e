import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Edge, postJson, startEdge } from './harness.ts';
import { startUpstream } from './upstream.ts';

describe('what is answered to one caller', () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge({ vars: { TARGET_ALLOWLIST: ['127.0.0.1'] } });
  });
  afterAll(() => edge[Symbol.asyncDispose]());

  const cachingOf = async (path: string) =>
    (await fetch(new URL(path, edge.gateway))).headers.get('cache-control');

  it('is cached nowhere, lists and refusals alike', async () => {
    expect(await cachingOf('/services')).toBe('no-store');
    expect(await cachingOf('/monitoring/alerts/silences')).toBe('no-store');
    expect(await cachingOf('/registry/models/absent')).toBe('no-store');
  });

  it('is revalidated where it has an ETag, and follows the headers of a service that sets them', async () => {
    await using service = await startUpstream(({ url }, response) => {
      if (url === '/says-so') response.setHeader('cache-control', 'public, max-age=60');
      response.end();
    });
    await postJson(new URL('/services/register', edge.gateway), { name: 'svc', url: service.url });

    expect(await cachingOf('/services/svc')).toBe('private, no-cache');
    expect(await cachingOf('/svc/says-so')).toBe('public, max-age=60');
    expect(await cachingOf('/svc/silent')).toBe('no-store');
  });
});
