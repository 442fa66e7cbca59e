import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesOf, type SharedEdge, postJson, problemOf, sha256, sharedEdge } from './harness.ts';
import { cut, putDataset, putJson, putPart } from './part-requests.ts';

let edge: SharedEdge;
let base: string;
beforeAll(async () => {
  edge = await sharedEdge();
  base = edge.training.origin;
});

const MIB = 2 ** 20;

describe('a dataset', () => {
  const parted = cut(bytesOf(1000, 1), 300);
  const { pieces: _, ...commit } = parted;

  it('is made of parts, and its address always means the same bytes', async () => {
    const first = await putDataset(base, 'made', parted);
    const second = await putJson(`${base}/datasets/made`, commit);
    const other = await putDataset(base, 'made', cut(bytesOf(500, 2), 300));

    const record = { name: 'made', digest: parted.digest, size_bytes: 1000 };
    expect([first.status, await first.json()]).toEqual([201, expect.objectContaining(record)]);
    expect(first.headers.get('location')).toBe('/datasets/made');
    expect([second.status, await second.json()]).toEqual([200, expect.objectContaining(record)]);
    expect((await problemOf(other)).code).toBe('already_exists');
  });

  it('is listed, shown, and gone once it is deleted', async () => {
    await putDataset(base, 'listed', parted);

    const list = (await (await fetch(`${base}/datasets`)).json()) as {
      datasets: { name: string }[];
      total: number;
    };
    expect(list.datasets.map(({ name }) => name)).toContain('listed');
    expect(list.total).toBe(list.datasets.length);
    expect(await (await fetch(`${base}/datasets/listed`)).json()).toMatchObject({
      size_bytes: 1000,
    });
    expect((await fetch(`${base}/datasets/listed`, { method: 'DELETE' })).status).toBe(204);
    const gone = await fetch(`${base}/datasets/listed`);
    const again = await fetch(`${base}/datasets/listed`, { method: 'DELETE' });
    expect((await problemOf(gone)).code).toBe('dataset_not_found');
    expect((await problemOf(again)).code).toBe('dataset_not_found');
  });

  it('may name a part more than once', async () => {
    const twice = cut(new Uint8Array(600).fill(7), 300);

    expect((await putDataset(base, 'twice', twice)).status).toBe(201);

    const bytes = new Uint8Array(
      await (await fetch(`${base}/datasets/twice/content`)).arrayBuffer(),
    );
    expect(sha256(bytes)).toBe(twice.digest);
  });

  it.each<[string, object, string]>([
    ['another digest', { digest: sha256(bytesOf(10, 9)) }, 'digest_mismatch'],
    ['another size', { size_bytes: 999 }, 'digest_mismatch'],
    ['another order', { parts: commit.parts.toReversed() }, 'digest_mismatch'],
    [
      'a part of another size',
      { parts: [{ ...commit.parts[0], size_bytes: 299 }], size_bytes: 299 },
      'digest_mismatch',
    ],
    [
      'parts that were not sent',
      { parts: [9, 10].map((seed) => ({ digest: sha256(bytesOf(5, seed)), size_bytes: 500 })) },
      'part_not_found',
    ],
    ['no parts', { parts: [] }, 'validation_failed'],
    ['an unknown name', { colour: 'red' }, 'validation_failed'],
  ])('is refused with %s', async (_case, change, code) => {
    for (const piece of parted.pieces) await putPart(base, piece);

    const answer = await putJson(`${base}/datasets/refused`, { ...commit, ...change });

    expect((await problemOf(answer)).code).toBe(code);
    expect((await fetch(`${base}/datasets/refused`)).status).toBe(404);
  });

  it.each(['.hidden', 'a%20b', 'x'.repeat(129)])('cannot be named %s', async (name) => {
    const put = await putJson(`${base}/datasets/${name}`, commit);
    const get = await fetch(`${base}/datasets/${name}`);

    expect((await problemOf(put)).code).toBe('invalid_parameter');
    expect((await problemOf(get)).code).toBe('dataset_not_found');
  });

  it('is not deleted while a job that has not ended names it', async () => {
    await putDataset(base, 'used', parted);
    const job = await postJson(`${base}/train`, {
      model_type: 'dense_chronospike',
      dataset_path: 'datasets/used',
      config: { steps: 10, d_model: 32, n_heads: 2 },
    });
    const { job_id } = (await job.json()) as { job_id: string };

    const refused = await fetch(`${base}/datasets/used`, { method: 'DELETE' });
    await postJson(`${base}/jobs/${job_id}/cancel`, {});
    const deleted = await fetch(`${base}/datasets/used`, { method: 'DELETE' });

    expect((await problemOf(refused)).code).toBe('dataset_in_use');
    expect(deleted.status).toBe(204);
  });

  it('has to be there before a job can name it', async () => {
    const answer = await postJson(`${base}/train`, {
      model_type: 'dense_chronospike',
      dataset_path: 'datasets/nowhere',
      config: { steps: 10, d_model: 32, n_heads: 2 },
    });

    expect((await problemOf(answer)).code).toBe('dataset_not_found');
  });
});

describe('the content of a dataset', () => {
  const bytes = bytesOf(1000, 3);
  const parted = cut(bytes, 300);
  const content = () => `${base}/datasets/content/content`;
  beforeAll(async () => {
    expect((await putDataset(base, 'content', parted)).status).toBe(201);
  });

  // Parts end at 299, 599 and 899.
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-299', 0, 299],
    ['bytes=299-300', 299, 300],
    ['bytes=10-950', 10, 950],
    ['bytes=300-599', 300, 599],
    ['bytes=-150', 850, 999],
    ['bytes=900-', 900, 999],
    ['bytes=0-99999', 0, 999],
  ])('answers the range %s across parts', async (range, from, to) => {
    const answer = await fetch(content(), { headers: { range } });

    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to}/1000`);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes.slice(from, to + 1));
  });

  it('is not sent again where it has not changed', async () => {
    const etag = `"${parted.digest}"`;
    const same = await fetch(content(), { headers: { 'if-none-match': etag } });
    const other = await fetch(content(), { headers: { 'if-match': '"other"' } });

    expect([same.status, same.headers.get('etag')]).toEqual([304, etag]);
    expect((await problemOf(other)).code).toBe('precondition_failed');
  });

  it('has a size before it is fetched, and none behind its end', async () => {
    const head = await fetch(content(), { method: 'HEAD' });
    const behind = await fetch(content(), { headers: { range: 'bytes=1000-' } });

    expect([head.status, head.headers.get('content-length')]).toEqual([200, '1000']);
    expect(behind.headers.get('content-range')).toBe('bytes */1000');
    expect((await problemOf(behind)).code).toBe('range_not_satisfiable');
  });
});

describe('a dataset of 100 MB', () => {
  it('goes up and comes down in bounded memory', async () => {
    const piece = bytesOf(32 * MIB, 4);
    const part = { digest: sha256(piece), size_bytes: piece.byteLength };
    // A part that is named several times need not be sent as often.
    const parts = [part, part, part];
    const whole = createHash('sha256');
    for (const _ of parts) whole.update(piece);
    const digest = `sha256:${whole.digest('hex')}`;
    const size_bytes = parts.length * piece.byteLength;
    const before = peakOfWorkerd();

    expect((await putPart(base, piece)).status).toBe(201);
    const put = await putJson(`${base}/datasets/large`, { digest, size_bytes, parts });

    expect(put.status).toBe(201);
    const answer = await fetch(`${base}/datasets/large/content`);
    expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(digest);
    const after = peakOfWorkerd();
    console.log(`workerd at its peak: ${before} MiB before, ${after} MiB after`);
    // Memory holds only the data in flight, with its copies on the way to the bucket; not the dataset.
    expect(after - before).toBeLessThan(250);
  }, 120_000);
});

/** The largest resident set that a workerd of this process ever had, in MiB. */
function peakOfWorkerd(): number {
  const ids = execFileSync('pgrep', ['-P', String(process.pid), 'workerd'], { encoding: 'utf8' });
  const peaks = ids
    .trim()
    .split('\n')
    .map((id) => execFileSync('grep', ['VmHWM', `/proc/${id}/status`], { encoding: 'utf8' }));
  return Math.max(...peaks.map((line) => Math.round(Number(/\d+/.exec(line)?.[0]) / 1024)));
}
