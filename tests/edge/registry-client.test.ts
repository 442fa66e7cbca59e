import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { createRegistryClient, type RegistryClient } from '../../edge/registry/contract/client.ts';
import { bytesOf, type SharedEdge, sha256, sharedEdge, tiny } from './harness.ts';

let edge: SharedEdge;
let client: RegistryClient;
beforeAll(async () => {
  edge = await sharedEdge();
  client = createRegistryClient({ base: `${edge.gateway.origin}/registry` });
});

async function problemFrom(call: Promise<unknown>): Promise<ProblemError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProblemError);
  return error as ProblemError;
}

describe('the client of the registry', () => {
  it('registers, uploads, shows and downloads a model', async () => {
    const body = bytesOf(1_000_000, 4);
    const first = await client.register({ ...tiny, tags: { stage: 'client' } });
    const repeat = await client.register({ ...tiny, tags: { stage: 'client' } });
    expect([first.outcome, repeat.outcome]).toEqual(['created', 'same']);

    const file = { modelId: 'tiny', version: '1.0.0', filename: 'model.safetensors' };
    const uploaded = await client.upload({ ...file, body });
    await client.upload({ ...file, filename: 'config.json', body: new Blob(['{}']) });
    expect(uploaded).toMatchObject({ size_bytes: body.byteLength, digest: sha256(body) });

    expect(await client.getModel({ params: { id: 'tiny' } })).toMatchObject({
      status: 'READY',
      versions: [{ version: '1.0.0' }],
    });
    expect(
      await client.getModel({ params: { id: 'tiny' }, query: { version: '1.0.0' } }),
    ).toMatchObject({ version: '1.0.0' });
    const listed = await client.listModels({
      query: { tag: ['stage:client'], name: 'TINY', limit: 5 },
    });
    expect(listed).toMatchObject({ total: 1, models: [{ model_id: 'tiny' }] });
    expect(sha256(await client.download(file))).toBe(sha256(body));
    expect((await fetch(client.downloadUrl(file))).status).toBe(200);
  });

  it('pages with the cursor of the page before', async () => {
    for (const n of [1, 2, 3])
      await client.register({ ...tiny, model_id: `page-${n}`, framework: 'p' });

    const first = await client.listModels({ query: { framework: 'p', limit: 2 } });
    const second = await client.listModels({
      query: { framework: 'p', limit: 2, cursor: first.next_cursor ?? '' },
    });

    const ids = [...first.models, ...second.models].map(({ model_id }) => model_id);
    expect(ids).toEqual(['page-3', 'page-2', 'page-1']);
  });

  it('reports the progress of an upload, up to its end', async () => {
    await client.register({ ...tiny, model_id: 'progress' });
    const body = bytesOf(2_000_000, 5);
    const reports: [number, number][] = [];

    for (const [filename, form] of [
      ['a.bin', body],
      ['b.bin', new Blob([body])],
    ] as const) {
      await client.upload({
        modelId: 'progress',
        version: '1.0.0',
        filename,
        body: form,
        onProgress: (sent, total) => reports.push([sent, total]),
      });
      expect(reports.length).toBeGreaterThan(4);
      expect(reports.at(-1)).toEqual([2_000_000, 2_000_000]);
      expect(reports).toEqual(reports.toSorted(([a], [b]) => a - b));
      reports.length = 0;
    }
    const { files } = await client.getModel({ params: { id: 'progress' } });
    expect(files.map(({ digest }) => digest)).toEqual([sha256(body), sha256(body)]);
  });

  it('throws the problem the registry answers with', async () => {
    const missing = await problemFrom(client.getModel({ params: { id: 'none' } }));
    const invalid = await problemFrom(client.register({ ...tiny, version: '1' }));

    expect(missing).toMatchObject({ code: 'model_not_found', status: 404 });
    expect(missing.message).toBe('There is no such model: There is no model none.');
    expect(invalid.problem.errors).toMatchObject([{ pointer: '/version' }]);
  });

  it('can be aborted', async () => {
    const signal = AbortSignal.abort(new Error('stop'));

    await expect(client.listModels({ ...{ signal } })).rejects.toThrow('stop');
  });
});

describe('the client of something else than the registry', () => {
  const answers = new Map([
    ['/models', { status: 200, body: '{"models":"none"}' }],
    ['/models/html', { status: 502, body: '<h1>Bad gateway</h1>' }],
    ['/models/x/download/a', { status: 200, body: 'other bytes' }],
  ]);
  const server = createServer((request, response) => {
    const { status = 404, body = '' } = answers.get(request.url ?? '') ?? {};
    response.writeHead(status, { etag: `"sha256:${'a'.repeat(64)}"` }).end(body);
  });
  let stranger: RegistryClient;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    stranger = createRegistryClient({ base: `http://127.0.0.1:${port}` });
  });
  afterAll(() => server.close());

  it('says what is wrong with an answer of another form', async () => {
    const error = await problemFrom(stranger.listModels());

    expect(error.code).toBe('invalid_answer');
    expect(error.problem.detail).toContain('models');
  });

  it('makes a problem of an error page', async () => {
    const error = await problemFrom(stranger.getModel({ params: { id: 'html' } }));

    expect(error).toMatchObject({ code: 'invalid_answer', status: 502 });
    expect(error.problem.retryable).toBe(true);
  });

  it('does not hand out bytes that are not those the registry has', async () => {
    const download = stranger.download({ modelId: 'x', filename: 'a' });

    expect(await problemFrom(download)).toMatchObject({ code: 'digest_mismatch' });
  });

  it('passes a network failure on', async () => {
    const nowhere = createRegistryClient({ base: 'http://127.0.0.1:1' });

    await expect(nowhere.listModels()).rejects.toThrow(TypeError);
  });
});
