import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedKey } from '../../edge/access/contract/keys.ts';
import { JobList, JobRecord } from '../../edge/training/contract/job.ts';
import { DatasetList, DatasetRecord } from '../../edge/datasets/contract/dataset.ts';
import { type Lease, TrainerList } from '../../edge/training/contract/trainer.ts';
import { bytesOf, problemOf, sha256 } from './harness.ts';
import { type GuardedEdge, send, type Sending, startGuardedEdge } from './keys-in-hand.ts';
import { listenTo } from './log-listener.ts';
import { aTrainer, progressAt, smallJob, trainingClient } from './training-client.ts';
import { bearer } from './upgrade.ts';

let edge: GuardedEdge;
/** Two keys of one team, one of another, and who administers the first one. */
let anna: CreatedKey;
let ben: CreatedKey;
let cleo: CreatedKey;
let lead: CreatedKey;

const QUOTAS = {
  jobs: { owner: 3, team: 4 },
  datasets: { owner: 2 },
  dataset_bytes: { owner: 9000 },
  trainers: { owner: 2 },
};

beforeAll(async () => {
  edge = await startGuardedEdge({ vars: { QUOTAS } });
  anna = await edge.keyFor(['train'], { team: 'vision' });
  ben = await edge.keyFor(['train'], { team: 'vision' });
  cleo = await edge.keyFor(['train', 'team:admin'], { team: 'audio' });
  lead = await edge.keyFor(['train', 'team:admin'], { team: 'vision' });
});
afterAll(() => edge[Symbol.asyncDispose]());

const as = ({ key }: CreatedKey) => trainingClient(edge.training, bearer(key));
const ask = ({ key }: CreatedKey, path: string, more: Sending = {}) =>
  send(new URL(path, edge.training), { key, ...more });

/** The members of a refusal that do not depend on the path. */
async function refusalOf(answer: Response) {
  const { code, detail, status } = await problemOf(answer);
  return { status, code, detail };
}

/** A job of Anna's that her trainer holds. */
async function heldJob(): Promise<Lease> {
  const trainer = await as(anna).announce();
  await as(anna).submit();
  const lease = await as(anna).lease(trainer.trainer_id);
  if (!lease) throw new Error('the trainer was given nothing');
  await as(anna).beat(lease);
  return lease;
}

async function putDataset(who: CreatedKey, name: string, bytes: Uint8Array<ArrayBuffer>) {
  const part = { digest: sha256(bytes), size_bytes: bytes.byteLength };
  const headers = { 'content-type': 'application/octet-stream', ...bearer(who.key) };
  const sent = await fetch(new URL(`/parts/${part.digest}`, edge.training), {
    ...{ method: 'PUT', headers, body: bytes },
  });
  if (!sent.ok) return sent;
  return ask(who, `/datasets/${name}`, { method: 'PUT', json: { ...part, parts: [part] } });
}

describe('a job and its trainer', () => {
  let lease: Lease;
  let id: string;
  beforeAll(async () => {
    lease = await heldJob();
    id = lease.job.job_id;
  });
  afterAll(async () => {
    await as(anna).end(lease, { outcome: 'cancelled' });
    await as(anna).cancel(id);
    const { trainers } = TrainerList.parse(await (await ask(anna, '/trainers')).json());
    for (const { trainer_id } of trainers) {
      await ask(anna, `/trainers/${trainer_id}`, { method: 'DELETE' });
    }
  });

  /** Everything that is asked of one job, as who stole its lease would ask it. */
  const requests = () => {
    const { lease_id, fencing_token } = lease;
    const proof = { lease_id, fencing_token };
    const digest = `sha256:${'0a'.repeat(32)}`;
    const beat = { phase: 'running', progress: progressAt(1), points: [], messages: [] };
    const digests = {
      structure_digest: digest,
      vocabulary_digest: digest,
      tokenizer_digest: digest,
    };
    const checkpoint = { step: 1, epoch: 0, metrics: {}, digest, ...digests, resumable: true };
    const files = [{ filename: 'a', digest, size_bytes: 0, parts: [] }];
    const delta = { filename: 'd', digest, size_bytes: 0, parts: [] };
    const post = (json?: unknown): Sending => ({ method: 'POST', json });
    return {
      reads: [
        '',
        '/events',
        '/metrics',
        '/checkpoints',
        '/rounds?after=0',
        '/checkpoints/c/files/a',
      ].map((part) => [`/jobs/${id}${part}`, {}] as const),
      changes: [
        [`/jobs/${id}/cancel`, post()],
        [`/jobs/${id}/heartbeat`, post({ ...proof, ...beat })],
        [`/jobs/${id}/checkpoints`, post({ ...proof, ...checkpoint, files })],
        [`/jobs/${id}/lease-end`, post({ ...proof, outcome: 'cancelled' })],
        [
          `/jobs/${id}/rounds`,
          post({ ...proof, round: 1, tokens: 1, loss: 1, base_digest: digest, delta }),
        ],
      ] as const,
    };
  };

  it('are changed by nobody else of their team, but seen', async () => {
    const { reads, changes } = requests();
    for (const [path, request] of reads.slice(0, 4)) {
      expect((await ask(ben, path, request)).status, path).toBe(200);
    }
    for (const [path, request] of changes) {
      expect(await refusalOf(await ask(ben, path, request)), path).toMatchObject({ status: 403 });
    }
    expect(await as(anna).job(id)).toMatchObject({ status: 'running', team: 'vision' });
  });

  it('do not exist for another team, whatever it may do in its own', async () => {
    const { reads, changes } = requests();
    for (const [path, request] of [...reads, ...changes]) {
      const other = path.replace(id, 'job_01M3K7GR6TPZWE40B8XQ2SHJDF');
      const [theirs, unknown] = [await ask(cleo, path, request), await ask(cleo, other, request)];
      const refusal = await refusalOf(theirs);
      expect(refusal.status, path).toBe(404);
      // The same to the letter, but for the id that was asked for.
      const { detail, ...rest } = await refusalOf(unknown);
      expect(refusal).toEqual({ ...rest, detail: detail.replace(other.split('/')[2] ?? '', id) });
    }
    const list = JobList.parse(await (await ask(cleo, '/jobs')).json());
    expect(list).toMatchObject({ jobs: [], total: 0 });
    const named = JobList.parse(await (await ask(cleo, '/jobs?team=vision')).json());
    expect(named.total).toBe(0);
    expect(await (await ask(cleo, '/trainers')).json()).toEqual({ trainers: [], total: 0 });
  });

  it('lease under a name only to the key that registered it', async () => {
    const [held] = lease.job.attempts;
    const json = { trainer_id: held?.trainer_id, wait_s: 0 };
    const post = { method: 'POST', json };
    const announced = { ...aTrainer, trainer_id: held?.trainer_id };

    expect((await ask(ben, '/leases', post)).status).toBe(403);
    // Not even those who may end it speak for it.
    expect((await ask(lead, '/leases', post)).status).toBe(403);
    expect((await ask(cleo, '/leases', post)).status).toBe(404);
    const over = { method: 'POST', json: announced };
    expect((await ask(ben, '/trainers', over)).status).toBe(403);
    expect((await ask(cleo, '/trainers', over)).status).toBe(404);
    const gone = { method: 'DELETE' };
    expect((await ask(ben, `/trainers/${held?.trainer_id}`, gone)).status).toBe(403);
    expect((await ask(cleo, `/trainers/${held?.trainer_id}`, gone)).status).toBe(404);
    expect((await as(anna).trainer(held?.trainer_id ?? '')).owner).toBe(anna.key_id);
  });

  it('are found by team alone, and a trainer of an administrator serves all', async () => {
    const theirs = await as(cleo).announce();
    const mine = await as(anna).submit({ priority: 1 });
    expect(await as(cleo).lease(theirs.trainer_id)).toBeUndefined();

    const admin = trainingClient(edge.training, bearer(edge.admin));
    const shared = await admin.announce({ name: 'shared' });
    const given = await admin.lease(shared.trainer_id);
    expect(given?.job).toMatchObject({ job_id: mine.job_id, owner: anna.key_id, team: 'vision' });
    // Others see the trainer, as it would take their jobs, but not whose it is at.
    expect(await as(cleo).trainer(shared.trainer_id)).toMatchObject({ all_teams: true, jobs: [] });
    expect((await as(ben).trainer(shared.trainer_id)).jobs).toEqual([mine.job_id]);
    const removal = await ask(cleo, `/trainers/${shared.trainer_id}`, { method: 'DELETE' });
    expect(removal.status).toBe(403);
    if (given) await admin.end(given, { outcome: 'released', reason: 'done' });
    await as(lead).cancel(mine.job_id);
    await ask(cleo, `/trainers/${theirs.trainer_id}`, { method: 'DELETE' });
    await send(new URL(`/trainers/${shared.trainer_id}`, edge.training), {
      ...{ key: edge.admin, method: 'DELETE' },
    });
  });

  it('are in the events of their team alone', async () => {
    const events = async (key: string) => {
      const answer = await send(new URL('/events?limit=1000', edge.gateway), { key });
      const { events: told } = (await answer.json()) as { events: { subject: string }[] };
      return told.map(({ subject }) => subject);
    };
    await expect.poll(() => events(ben.key)).toContain(id);
    expect(await events(cleo.key)).not.toContain(id);
    expect(await events(edge.admin)).toContain(id);

    // On the log's socket, what is kept and what comes.
    const follow = async (team: string) => {
      const { key } = await edge.keyFor(['train', 'logs:read'], { team });
      const query = { events: 'job.status', tail: '1000' };
      return listenTo({ gateway: edge.gateway, key }, query);
    };
    const [ours, theirs] = await Promise.all([follow('vision'), follow('audio')]);
    await ours.next('job.status', ({ subject }) => subject === id);
    const [next, own] = [await as(anna).submit(), await as(cleo).submit()];
    await ours.next('job.status', ({ subject }) => subject === next.job_id);
    await theirs.next('job.status', ({ subject }) => subject === own.job_id);
    const heard = theirs.frames.flatMap((frame) => ('subject' in frame ? [frame.subject] : []));
    expect(new Set(heard).has(id) || new Set(heard).has(next.job_id)).toBe(false);
    for (const { socket } of [ours, theirs]) socket.close();
    await as(anna).cancel(next.job_id);
    await as(cleo).cancel(own.job_id);
  });
});

describe('a dataset', () => {
  const bytes = bytesOf(4000, 7);
  beforeAll(async () => {
    expect((await putDataset(anna, 'novel', bytes)).status).toBe(201);
  });

  it('is deleted by its owner and who administers the team', async () => {
    const gone = { method: 'DELETE' };
    expect((await ask(ben, '/datasets/novel/content')).status).toBe(200);
    expect(await refusalOf(await ask(ben, '/datasets/novel', gone))).toMatchObject({
      code: 'forbidden',
    });
    expect((await putDataset(anna, 'other', bytesOf(100, 8))).status).toBe(201);
    expect((await ask(lead, '/datasets/other', gone)).status).toBe(204);
  });

  it('is not there for another team: not by name, not in jobs, not by the digests of its parts', async () => {
    const digest = sha256(bytes);
    const paths = ['/datasets/novel', '/datasets/novel/content', `/parts/${digest}`];
    for (const path of paths) expect((await ask(cleo, path)).status, path).toBe(404);
    expect((await ask(cleo, '/datasets/novel', { method: 'DELETE' })).status).toBe(404);
    expect(DatasetList.parse(await (await ask(cleo, '/datasets')).json()).total).toBe(0);
    const missing = { method: 'POST', json: { digests: [digest] } };
    expect(await (await ask(cleo, '/parts/missing', missing)).json()).toEqual({
      missing: [digest],
    });
    const part = { digest, size_bytes: 4000 };
    const claimed = { method: 'PUT', json: { ...part, parts: [part] } };
    expect((await ask(cleo, '/datasets/mine', claimed)).status).toBe(404);
    // A name that is taken says no more than that.
    const taken = await refusalOf(await ask(cleo, '/datasets/novel', claimed));
    expect(taken).toMatchObject({ code: 'already_exists' });
    expect(taken.detail).not.toMatch(/sha256|vision/);
    const job = { method: 'POST', json: { ...smallJob, dataset_path: 'datasets/novel' } };
    expect(await refusalOf(await ask(cleo, '/train', job))).toMatchObject({
      code: 'dataset_not_found',
    });
  });

  it('of the same bytes is another team’s own once it has sent them', async () => {
    const headers = { 'content-type': 'application/octet-stream', ...bearer(cleo.key) };
    const forged = await fetch(new URL(`/parts/${sha256(bytes)}`, edge.training), {
      ...{ method: 'PUT', headers, body: bytesOf(4000, 9) },
    });
    expect(await refusalOf(forged)).toMatchObject({ code: 'digest_mismatch' });

    const made = await putDataset(cleo, 'same', bytes);

    expect(DatasetRecord.parse(await made.json())).toMatchObject({ team: 'audio' });
    expect((await ask(cleo, '/datasets/same', { method: 'DELETE' })).status).toBe(204);
    expect((await ask(ben, '/datasets/novel/content')).status).toBe(200);
  });
});

describe('a quota', () => {
  it('of jobs says its limit and when to come again; another job ends the wait', async () => {
    const jobs: JobRecord[] = [];
    for (let i = 0; i < 3; i++) jobs.push(await as(ben).submit());
    const json = { method: 'POST', json: smallJob };
    const own = await ask(ben, '/train', json);
    expect(own.headers.get('retry-after')).toBe('60');
    expect(await problemOf(own)).toMatchObject({
      ...{ status: 429, quota: 'jobs', scope: 'owner', limit: 3, used: 3, reset_s: 60 },
    });
    jobs.push(await as(lead).submit());
    expect(await problemOf(await ask(lead, '/train', json))).toMatchObject({ scope: 'team' });

    for (const { job_id } of jobs) await as(lead).cancel(job_id);
    await as(ben).cancel((await as(ben).submit()).job_id);
  });

  it('of requests side by side is not outrun', async () => {
    const json = { method: 'POST', json: smallJob };
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(ben, '/train', json)));
    const made = answers.filter(({ status }) => status === 202);
    expect(made).toHaveLength(3);
    for (const answer of made) {
      await as(ben).cancel(JobRecord.parse(await answer.json()).job_id);
    }
  });

  it('of trainers says its limit; who is there is announced again', async () => {
    const announced = (name: string) =>
      ask(lead, '/trainers', { method: 'POST', json: { ...aTrainer, name } });
    expect([(await announced('one')).status, (await announced('two')).status]).toEqual([201, 201]);
    expect(await problemOf(await announced('three'))).toMatchObject({
      ...{ status: 403, code: 'quota_exceeded', quota: 'trainers', limit: 2 },
    });
  });

  it('of bytes and datasets is freed by deleting', async () => {
    expect((await putDataset(ben, 'one', bytesOf(6000, 11))).status).toBe(201);
    const refused = await putDataset(ben, 'two', bytesOf(6000, 12));
    expect(await problemOf(refused)).toMatchObject({
      ...{ status: 403, code: 'quota_exceeded', quota: 'dataset_bytes', limit: 9000 },
      ...{ used: 6000, reset_s: null },
    });
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '6000', 'upload-metadata': '' };
    const tus = await ask(ben, '/datasets/two/uploads', { method: 'POST', headers });
    expect(await problemOf(tus)).toMatchObject({ quota: 'dataset_bytes' });
    expect((await ask(ben, '/datasets/one', { method: 'DELETE' })).status).toBe(204);
    expect((await putDataset(ben, 'two', bytesOf(6000, 12))).status).toBe(201);
    expect((await putDataset(ben, 'three', bytesOf(10, 13))).status).toBe(201);
    const third = await putDataset(ben, 'four', bytesOf(10, 14));
    expect(await problemOf(third)).toMatchObject({ quota: 'datasets', limit: 2 });
  });
});
