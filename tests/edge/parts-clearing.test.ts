import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PartedFile } from '../../edge/training/contract/checkpoint.ts';
import { bytesOf, type Edge, postJson, problemOf, sha256, startEdge } from './harness.ts';
import { cut, putDataset, putPart } from './part-requests.ts';
import { aTrainer, completed, trainingClient, type TrainingClient } from './training-client.ts';

let edge: Edge;
let base: string;
let client: TrainingClient;
beforeAll(async () => {
  // A day where people use it.
  edge = await startEdge({ vars: { PARTS_TTL_S: 2 } });
  base = edge.training.origin;
  client = trainingClient(edge.training);
});
afterAll(() => edge[Symbol.asyncDispose]());

const PATIENT = { timeout: 20_000, interval: 100 };

const isThere = async (digest: string) => (await fetch(`${base}/parts/${digest}`)).status === 200;
const isGone = (digest: string) =>
  vi.waitFor(async () => expect(await isThere(digest)).toBe(false), PATIENT);

/** Sends a part that nothing names and waits until it was cleared away: older ones were looked at. */
async function aSweepLater(seed: number): Promise<void> {
  const bytes = bytesOf(10, seed);
  await putPart(base, bytes);
  await isGone(sha256(bytes));
}

async function sendFile(filename: string, bytes: Uint8Array<ArrayBuffer>): Promise<PartedFile> {
  const { pieces, ...file } = cut(bytes, 400);
  for (const piece of pieces) await putPart(base, piece as Uint8Array<ArrayBuffer>);
  return { filename, ...file, parts: [...file.parts] } as PartedFile;
}

async function leasedJob() {
  const trainer = await client.announce({ ...aTrainer, name: 'clearing' });
  await client.submit();
  const lease = await client.lease(trainer.trainer_id);
  if (!lease) throw new Error('there was no job to lease');
  return lease;
}

describe('a part that nothing names', () => {
  it('goes after a while, with its bytes', async () => {
    const bytes = bytesOf(1000, 1);
    const before = edge.blobs();
    await putPart(base, bytes);

    await isGone(sha256(bytes));

    await vi.waitFor(() => expect(edge.blobs()).toEqual(before), PATIENT);
    expect((await putPart(base, bytes)).status).toBe(201);
  });

  it('stays for as long as somebody sends or requests it', async () => {
    const [sent, asked] = [bytesOf(10, 2), bytesOf(10, 3)];
    await putPart(base, sent);
    await putPart(base, asked);
    const over = new AbortController();
    const sweeps = (async () => {
      await aSweepLater(4);
      await aSweepLater(5);
      over.abort();
    })();

    while (!over.signal.aborted) {
      expect((await putPart(base, sent)).status).toBe(200);
      const answer = await postJson(`${base}/parts/missing`, { digests: [sha256(asked)] });
      expect(await answer.json()).toEqual({ missing: [] });
      // Many times within what a part is kept for.
      await sleep(200);
    }
    await sweeps;
  });
});

describe('a part that is named stays', () => {
  it('by a dataset, until that is deleted', async () => {
    const parted = cut(bytesOf(900, 6), 400);
    await putDataset(base, 'kept', parted);

    await aSweepLater(7);
    await aSweepLater(8);

    const answer = await fetch(`${base}/datasets/kept/content`);
    expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(parted.digest);
    await fetch(`${base}/datasets/kept`, { method: 'DELETE' });
    for (const { digest } of parted.parts) await isGone(digest);
  });

  it('by a checkpoint, whose files can be fetched', async () => {
    const bytes = bytesOf(1000, 9);
    const lease = await leasedJob();
    const file = await sendFile('model.safetensors', bytes);
    const { body: checkpoint } = await client.commit(lease, 10, { files: [file] });

    await aSweepLater(10);
    await aSweepLater(11);

    const at = `${base}/jobs/${lease.job.job_id}/checkpoints/${checkpoint.id}/files`;
    const answer = await fetch(`${at}/model.safetensors`);
    expect(answer.headers.get('etag')).toBe(`"${file.digest}"`);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
    await client.end(lease, completed);
  });
});

describe('the files of a checkpoint', () => {
  it('are refused while a part of them is missing, or their sizes differ', async () => {
    const lease = await leasedJob();
    const missing = cut(bytesOf(500, 12), 400);
    const file = await sendFile('model.safetensors', bytesOf(500, 13));
    const { pieces: _, ...unsent } = missing;
    const commit = (one: PartedFile) => client.commit(lease, 10, { files: [one] });

    await expect(commit({ ...file, ...unsent, parts: [...unsent.parts] } as PartedFile))
      .rejects //
      .toMatchObject({
        problem: { code: 'part_not_found', missing: unsent.parts.map((p) => p.digest) },
      });
    await expect(commit({ ...file, size_bytes: 499 }))
      .rejects //
      .toMatchObject({ problem: { code: 'digest_mismatch' } });
    await client.end(lease, completed);
  });

  it.each([
    ['job_nowhere', 'ckp_nowhere', 'a.bin', 'job_not_found'],
    ['', 'ckp_nowhere', 'a.bin', 'checkpoint_not_found'],
    ['', '', 'a.bin', 'file_not_found'],
  ])('are found by their names only: %s %s %s', async (job, checkpoint, filename, code) => {
    const lease = await leasedJob();
    const file = await sendFile('model.safetensors', bytesOf(10, 14));
    const { body } = await client.commit(lease, 10, { files: [file] });
    const [jobId, id] = [job || lease.job.job_id, checkpoint || body.id];

    const answer = await fetch(`${base}/jobs/${jobId}/checkpoints/${id}/files/${filename}`);

    expect((await problemOf(answer)).code).toBe(code);
    await client.end(lease, completed);
  });
});
