import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  bytesOf,
  type Edge,
  filesOf,
  registerModel,
  sha256,
  startEdge,
  upload as uploadWhole,
} from './harness.ts';
import { begin, head, metadataOf, offsetOf, openPatch, patch } from './tus-client.ts';

const PATIENT = { timeout: 10_000, interval: 20 };
const MB = 1_000_000;

/**
 * The bytes of a large file, made when they are sent. `SPIKEGRID_UPLOAD_MB=200` makes it the proof in
 * docs/bars.md.
 */
const SIZE = Number(process.env['SPIKEGRID_UPLOAD_MB'] ?? 20) * MB;
const PART = 8 * 1024 * 1024;
const PIECE = bytesOf(MB, 11);
const pieceAt = (offset: number, longest: number) => {
  const from = offset % MB;
  return PIECE.subarray(from, Math.min(MB, from + longest));
};

function digestOfLarge(): string {
  const hash = createHash('sha256');
  for (let at = 0; at < SIZE; at += MB) hash.update(PIECE);
  return `sha256:${hash.digest('hex')}`;
}

/** Sends up to `count` bytes from `offset` on through a socket, and tears it unless that was all. */
async function sendAndTear(upload: URL, offset: number, count: number): Promise<void> {
  // The most that one request may carry.
  const length = Math.min(SIZE - offset, 100 * MB);
  const request = openPatch(upload, offset, length);
  for (let sent = 0; sent < Math.min(count, length);) {
    const piece = pieceAt(offset + sent, Math.min(count, length) - sent);
    await request.write(piece);
    sent += piece.byteLength;
  }
  if (count < length) request.hangUp();
  await request.answer;
}

describe(`an upload of ${SIZE / MB} MB that is killed five times`, () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge();
  });
  afterAll(() => edge[Symbol.asyncDispose]());

  it('arrives whole, and never goes back behind what was safe', async () => {
    const model = await registerModel(edge.registry, 'killed');
    const upload = await begin(model, { length: SIZE, digest: digestOfLarge() });
    // Shares of it that are sent: in the first part, inside of others, and in one of the last.
    const kills = [0.015, 0.205, 0.15, 0.26, 0.3].map((share) => Math.round(share * SIZE) + 7);
    const offsets = [0];

    for (const count of kills) {
      const from = offsets.at(-1)!;
      await sendAndTear(upload, from, count);
      // Bytes that had arrived are retained once the registry has noticed, up to the odd rest.
      await vi.waitFor(async () => expect(await offsetOf(upload)).toBeGreaterThan(from), PATIENT);
      offsets.push(await offsetOf(upload));
    }
    while (offsets.at(-1)! < SIZE) {
      await sendAndTear(upload, offsets.at(-1)!, SIZE);
      offsets.push(await offsetOf(upload));
    }

    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    expect((await filesOf(model)).files).toMatchObject([
      { size_bytes: SIZE, digest: digestOfLarge() },
    ]);
    const hash = createHash('sha256');
    const download = await fetch(`${model}/download/a.bin`);
    for await (const chunk of download.body!) hash.update(chunk);
    expect(`sha256:${hash.digest('hex')}`).toBe(digestOfLarge());
    // The parts that hold it; nothing else is left.
    const parts = Math.ceil(SIZE / PART);
    await vi.waitFor(() => expect(edge.blobs()).toHaveLength(parts), PATIENT);
  }, 60_000);
});

describe('an upload that stands still', () => {
  // A day where people use it.
  let hasty: Edge;
  beforeAll(async () => {
    hasty = await startEdge({ vars: { RESUMABLE_TTL_S: 2 } });
  });
  afterAll(() => hasty[Symbol.asyncDispose]());

  it('expires with all its bytes, at the announced time', async () => {
    const model = await registerModel(hasty.registry, 'stalled');
    const before = hasty.blobs();
    const upload = await begin(model, { length: 30 * MB });
    const answer = await patch(upload, 0, bytesOf(9 * MB, 1));
    const expires = Date.parse(answer.headers.get('upload-expires') ?? '');
    expect(expires).toBeGreaterThan(Date.now() - 2000);

    await vi.waitFor(() => expect(hasty.blobs()).toEqual(before), PATIENT);

    // HTTP dates have no fractions of a second.
    expect(Date.now()).toBeGreaterThanOrEqual(expires);
    expect((await head(upload)).status).toBe(404);
    expect((await patch(upload, 9 * MB, bytesOf(MB, 1))).status).toBe(404);
    expect(await filesOf(model)).toMatchObject({ files: [] });
  });

  it('leaves the file of one that was finished', async () => {
    const model = await registerModel(hasty.registry, 'done');
    const bytes = bytesOf(9 * MB, 2);
    const upload = await begin(model, { length: 9 * MB, body: bytes });

    await vi.waitFor(async () => expect((await head(upload)).status).toBe(404), PATIENT);

    const stored = await (await fetch(`${model}/download/a.bin`)).arrayBuffer();
    expect(sha256(new Uint8Array(stored))).toBe(sha256(bytes));
  });
});

describe('an upload whose registry is killed', () => {
  it('goes on after the next start from what was acknowledged', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-state-'));
    const bytes = bytesOf(17 * MB, 3);
    const killed = await startEdge({ stateDir });
    await registerModel(killed.registry, 'survivor');
    const { pathname } = await begin(`${killed.registry.origin}/models/survivor`, {
      length: bytes.byteLength,
    });
    const answer = await patch(new URL(pathname, killed.registry), 0, bytes.subarray(0, 11 * MB));
    expect(answer.headers.get('upload-offset')).toBe(String(11 * MB));

    // This ends workerd with SIGKILL.
    await killed[Symbol.asyncDispose]();
    const next = await startEdge({ stateDir });
    const upload = new URL(pathname, next.registry);

    expect(await offsetOf(upload)).toBe(11 * MB);
    expect((await patch(upload, 11 * MB, bytes.subarray(11 * MB))).status).toBe(204);
    expect((await filesOf(`${next.registry.origin}/models/survivor`)).files).toMatchObject([
      { digest: sha256(bytes) },
    ]);
    await next[Symbol.asyncDispose]();
    rmSync(stateDir, { recursive: true });
  });

  it('between its last byte and its publishing is published by the next look', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-state-'));
    const part = bytesOf(PART, 4);
    const killed = await startEdge({ stateDir });
    await registerModel(killed.registry, 'between');
    const model = `${killed.registry.origin}/models/between`;
    const names = ['right.bin', 'wrong.bin', 'taken.bin'];
    const digests = [sha256(part), sha256(bytesOf(1, 1)), sha256(part)];
    const paths: string[] = [];
    for (const [i, filename] of names.entries()) {
      const length = 2 * part.byteLength;
      const upload = await begin(model, { length, filename, digest: digests[i]! });
      await patch(upload, 0, part);
      paths.push(upload.pathname);
    }
    await uploadWhole(model, { filename: 'taken.bin' }, 'other bytes');
    const datasets: string[] = [];
    for (const name of ['wrong', 'taken']) {
      const digest = name === 'wrong' ? digests[1]! : digests[0]!;
      const upload = await begin(`${killed.training.origin}/datasets/${name}`, {
        length: 2 * part.byteLength,
        headers: { 'upload-metadata': metadataOf({ digest }) },
      });
      await patch(upload, 0, part);
      datasets.push(upload.pathname);
    }
    await begin(`${killed.training.origin}/datasets/taken`, {
      length: 9,
      body: bytesOf(9, 5),
      headers: { 'upload-metadata': '' },
    });
    await killed[Symbol.asyncDispose]();

    // The state that is written with the last byte: here the half that arrived is all there is.
    for (const object of ['Registry', 'Datasets']) {
      setRows(
        stateDir,
        object,
        `UPDATE upload_sessions SET status = 'complete', length_bytes = offset_bytes,
        digest = '${sha256(part)}'`,
      );
    }
    const next = await startEdge({ stateDir });
    const [right, wrong, taken] = await Promise.all(
      paths.map((path) => head(new URL(path, next.registry))),
    );

    expect(right?.status).toBe(200);
    expect(right?.headers.get('content-location')).toContain('/download/right.bin');
    expect(wrong?.status).toBe(460);
    expect(taken?.status).toBe(409);
    const shown = datasets.map((path) => head(new URL(path, next.training)));
    expect((await Promise.all(shown)).map(({ status }) => status)).toEqual([460, 409]);
    expect((await filesOf(`${next.registry.origin}/models/between`)).files).toMatchObject([
      { filename: 'right.bin', digest: sha256(part) },
      { filename: 'taken.bin', digest: sha256(Buffer.from('other bytes')) },
    ]);
    const stored = await fetch(`${next.registry.origin}/models/between/download/right.bin`);
    expect(sha256(new Uint8Array(await stored.arrayBuffer()))).toBe(sha256(part));
    // Of the two files, and of the data set that had its name first.
    await vi.waitFor(() => expect(next.blobs()).toHaveLength(3), PATIENT);
    await next[Symbol.asyncDispose]();
    rmSync(stateDir, { recursive: true });
  });
});

/** Changes what an object has stored, while nobody runs. */
function setRows(stateDir: string, object: string, statement: string): void {
  const files = readdirSync(stateDir, { recursive: true, encoding: 'utf8' });
  const name = new RegExp(`${object}/[0-9a-f]{64}\\.sqlite$`);
  const stored = files.filter((path) => name.test(path));
  expect(stored).toHaveLength(1);
  const database = new DatabaseSync(join(stateDir, stored[0]!));
  database.exec(statement);
  database.close();
}
