import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callEndpoint } from '../../edge/contract/client.ts';
import type { PartedFile } from '../../edge/training/contract/checkpoint.ts';
import { trainerEndpoints } from '../../edge/training/trainer-endpoints.ts';
import type { Lease } from '../../edge/training/contract/trainer.ts';
import { bytesOf, type Edge, problemOf, sha256, startEdge } from './harness.ts';
import { aDigest, completed, trainingClient, type TrainingClient } from './training-client.ts';

let edge: Edge;
let client: TrainingClient;
beforeAll(async () => {
  edge = await startEdge();
  client = trainingClient(edge.training);
});
afterAll(() => edge[Symbol.asyncDispose]());

/** A job with two members that train. */
let jobs = 0;
async function pair(): Promise<readonly [Lease, Lease]> {
  const dataset_path = `corpora/${++jobs}.txt`;
  await client.submit({ dataset_path, replicas: 2, distributed: { straggler_timeout_s: 2 } });
  const lease = async (name: string) => {
    const { trainer_id } = await client.announce({ name, datasets: [dataset_path] });
    const given = (await client.lease(trainer_id))!;
    await client.beat(given);
    return given;
  };
  return [await lease('one'), await lease('two')];
}

/** Sends a delta as a part. */
async function sendDelta(round: number, seat: number) {
  const bytes = bytesOf(2000, round * 10 + seat + 1);
  const part = { digest: sha256(bytes), size_bytes: bytes.byteLength };
  await fetch(new URL(`/parts/${part.digest}`, edge.training), {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: bytes,
  });
  return { filename: 'delta.bin', ...part, parts: [part] };
}

/** Says that a delta is there. */
function tell({ lease_id, fencing_token, job }: Lease, round: number, delta: PartedFile) {
  const learned = { round, tokens: 100, loss: 2, delta, base_digest: aDigest };
  return callEndpoint(client.http, trainerEndpoints.contribute, {
    params: { id: job.job_id },
    body: { lease_id, fencing_token, ...learned },
  });
}

const contribute = async (lease: Lease, round: number) =>
  tell(lease, round, await sendDelta(round, lease.seat));

async function rounds(id: string, after: number, wait_s = 0) {
  const asked = { params: { id }, query: { after: String(after), wait_s: String(wait_s) } };
  return (await callEndpoint(client.http, trainerEndpoints.listRounds, asked)).body;
}

describe('the rounds of a job with two members', () => {
  it('close once both contributed, and are stored until a checkpoint has them', async () => {
    const [one, two] = await pair();
    const id = one.job.job_id;
    expect([one.seat, two.seat]).toEqual([0, 1]);
    const waiting = rounds(id, 0, 20);

    const first = await contribute(two, 1);
    const again = await contribute(two, 1);
    const second = await contribute(one, 1);
    const closed = await waiting;

    expect([first.status, again.status, second.status]).toEqual([201, 200, 201]);
    expect(second.body).toEqual({ round: 2, seats: [0, 1], leader: 0, checkpoint_round: 0 });
    expect(closed.rounds).toMatchObject([{ round: 1, contributions: [{ seat: 0 }, { seat: 1 }] }]);
    await expect(contribute(one, 1)).rejects.toMatchObject({ code: 'stale_round' });
    expect(await client.beat(two)).toMatchObject({ round: { round: 2, leader: 0 } });
    for (const round of [2, 3, 4]) {
      await contribute(one, round);
      await contribute(two, round);
    }
    const files = [{ filename: 'a', digest: aDigest, size_bytes: 0, parts: [] }];
    await client.commit(one, 200, { files, metrics: { round: 4 } });
    // The last two stay for members that are about to read them.
    expect((await rounds(id, 0)).rounds.map(({ round }) => round)).toEqual([3, 4]);
    expect((await rounds(id, 4)).current).toMatchObject({ round: 5, checkpoint_round: 4 });
    expect((await client.job(id)).rounds).toEqual({
      ...{ round: 5, members: 2, contributed: 0 },
      ...{ bytes_sent: 16_000, bytes_float32: 64_000 },
    });
    expect((await client.events(id)).map(({ message }) => message)).toContain(
      'round 4: 2 of 2 members, 4 kB sent instead of 16 kB',
    );
    expect(await client.end(one, completed)).toMatchObject({ status: 'succeeded' });
    expect(await client.beat(two)).toMatchObject({ cancel: 'stop' });
  });

  it('close without a straggler, whom they are over for', async () => {
    const [one, two] = await pair();
    await contribute(one, 1);
    const since = Date.now();

    const closed = await rounds(one.job.job_id, 0, 20);

    expect(Date.now() - since).toBeGreaterThan(1500);
    expect(closed.rounds[0]?.contributions.map(({ seat }) => seat)).toEqual([0]);
    await expect(contribute(two, 1)).rejects.toMatchObject({ code: 'stale_round' });
    await client.cancel(one.job.job_id);
  });

  it('take nothing whose parts are not there, or have another size', async () => {
    const [one] = await pair();
    const part = { digest: aDigest, size_bytes: 10 };
    const sent = await sendDelta(1, one.seat);

    await expect(tell(one, 1, { filename: 'd', ...part, parts: [part] })) //
      .rejects.toMatchObject({ code: 'part_not_found' });
    await expect(tell(one, 1, { ...sent, size_bytes: 1999 })) //
      .rejects.toMatchObject({ code: 'digest_mismatch' });
    await client.cancel(one.job.job_id);
  });

  it('are those of jobs with several replicas only', async () => {
    const { job_id } = await client.submit();

    const answer = await fetch(new URL(`/jobs/${job_id}/rounds?after=0`, edge.training));

    expect((await problemOf(answer)).code).toBe('job_not_found');
  });
});
