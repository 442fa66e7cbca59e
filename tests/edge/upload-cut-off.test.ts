import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bytesOf, type Edge, filesOf, registerModel, startEdge, upload } from './harness.ts';
import { openRequest } from './raw-http.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

/** Workerd renames what it writes when it is whole. */
const isPartial = (blob: string) => blob.endsWith('.tmp');

/** Three parts of the bucket's multipart uploads. */
const LARGE = bytesOf(20_000_003, 1);
/** The first is stored once the second is there. */
const FIRST = LARGE.subarray(0, 17_000_000);
const PATIENT = { timeout: 10_000, interval: 20 };
/** Half a second at that interval. */
const QUIET_LOOKS = 25;

function startUpload(at: URL, path: string) {
  return openRequest(at, [
    `POST ${path}/upload?filename=a.bin&version=1.0.0 HTTP/1.1`,
    `Host: ${at.host}`,
    'Connection: close',
    'Content-Type: application/octet-stream',
    `Content-Length: ${LARGE.byteLength}`,
  ]);
}

describe('an upload that is cut off', () => {
  it.each([
    ['gateway', '/registry/models/cut-gateway'],
    ['registry', '/models/cut-registry'],
  ] as const)(
    'at the %s with parts of it stored is never seen and leaves nothing',
    async (service, path) => {
      const model = await registerModel(edge.registry, `cut-${service}`);
      const before = edge.blobs();
      const request = startUpload(edge[service], path);
      await request.write(FIRST);
      await vi.waitFor(() => expect(edge.blobs().length).toBeGreaterThan(before.length), PATIENT);
      expect((await fetch(`${model}/download/a.bin`)).status).toBe(404);

      request.hangUp();

      await vi.waitFor(() => expect(edge.blobs()).toEqual(before), PATIENT);
      expect(await filesOf(model)).toEqual({ files: [], status: 'PENDING' });
      // The name is free for the next try.
      expect((await upload(model, { filename: 'a.bin' }, 'x')).status).toBe(201);
    },
  );

  it('in its first bytes is never seen', async () => {
    const model = await registerModel(edge.registry, 'cut-early');
    const request = startUpload(edge.gateway, '/registry/models/cut-early');
    await request.write(LARGE.subarray(0, 10_000));

    request.hangUp();
    await request.answer;

    expect(await filesOf(model)).toEqual({ files: [], status: 'PENDING' });
    expect((await upload(model, { filename: 'a.bin' }, 'x')).status).toBe(201);
  });
});

describe('an upload that stands still', () => {
  // An hour where people use it.
  let hasty: Edge;
  beforeAll(async () => {
    hasty = await startEdge({ vars: { UPLOAD_TTL_S: 1 } });
  });
  afterAll(() => hasty[Symbol.asyncDispose]());

  it('is cleared away after a while, and refused when it goes on', async () => {
    const model = await registerModel(hasty.registry, 'stalled');
    const before = hasty.blobs();
    const request = startUpload(hasty.registry, '/models/stalled');
    await request.write(FIRST);
    await vi.waitFor(() => expect(hasty.blobs().length).toBeGreaterThan(before.length), PATIENT);

    await vi.waitFor(() => expect(hasty.blobs()).toEqual(before), PATIENT);
    await request.write(LARGE.subarray(FIRST.byteLength));

    const { status, text } = await request.answer;
    expect(status).toBe(408);
    expect(text).toContain('"code":"upload_expired"');
    expect(await filesOf(model)).toEqual({ files: [], status: 'PENDING' });
    expect(hasty.blobs()).toEqual(before);
  });

  it('does not take a finished one with it', async () => {
    const model = await registerModel(hasty.registry, 'finished');
    await upload(model, { filename: 'config.json' }, '{}');
    const sweeping = startUpload(hasty.registry, '/models/finished');
    const before = hasty.blobs();
    await sweeping.write(FIRST);
    await vi.waitFor(() => expect(hasty.blobs().length).toBeGreaterThan(before.length), PATIENT);
    await vi.waitFor(() => expect(hasty.blobs()).toEqual(before), PATIENT);
    sweeping.hangUp();

    expect(await (await fetch(`${model}/download/config.json`)).text()).toBe('{}');
  });
});

describe('an upload whose registry is killed', () => {
  it('is cleared away after the next start, without anyone asking', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-state-'));
    // Long enough for the quiet looks below, on a busy machine too.
    const vars = { UPLOAD_TTL_S: 5 };
    const killed = await startEdge({ vars, stateDir });
    await registerModel(killed.registry, 'orphan');
    const request = startUpload(killed.registry, '/models/orphan');
    await request.write(LARGE.subarray(0, 19_000_000));
    // Two parts that are written whole, none that is being written, and time to note them down: the
    // store forgets a part whose bytes lie there but that it has no record of yet.
    let looks = 0;
    const isQuiet = () => killed.blobs().length === 2 && !killed.blobs().some(isPartial);
    await vi.waitUntil(() => (looks = isQuiet() ? looks + 1 : 0) > QUIET_LOOKS, PATIENT);

    // This ends workerd with SIGKILL: nothing of it can clean up.
    await killed[Symbol.asyncDispose]();
    await request.answer;
    expect(killed.blobs()).toHaveLength(2);
    const next = await startEdge({ vars, stateDir });

    await vi.waitFor(() => expect(next.blobs()).toEqual([]), PATIENT);
    expect(await filesOf(`${next.registry.origin}/models/orphan`)).toMatchObject({ files: [] });
    await next[Symbol.asyncDispose]();
    rmSync(stateDir, { recursive: true });
  });
});
