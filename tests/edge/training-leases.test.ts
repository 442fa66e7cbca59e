import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrainRequestInput } from '../../edge/training/contract/train-request.ts';
import type { Lease, TrainerAnnouncement } from '../../edge/training/contract/trainer.ts';
import { Health } from '../../edge/health/contract/health.ts';
import type { ProblemError } from '../../edge/contract/problem-error.ts';
import { type Edge, startEdge } from './harness.ts';
import { openRequest } from './raw-http.ts';
import {
  aDigest,
  completed,
  pointAt,
  progressAt,
  trainingClient,
  type TrainingClient,
} from './training-client.ts';

let edge: Edge;
let client: TrainingClient;
beforeAll(async () => {
  edge = await startEdge();
  client = trainingClient(edge.training);
});
afterAll(() => edge[Symbol.asyncDispose]());

/** A trainer and jobs that only know each other: tests share the service. */
let worlds = 0;
function world() {
  const dataset_path = `corpora/${++worlds}.txt`;
  return {
    submit: (request: Partial<TrainRequestInput> = {}) =>
      client.submit({ ...request, dataset_path }),
    announce: (said: Partial<TrainerAnnouncement> = {}) =>
      client.announce({ ...said, datasets: [dataset_path] }),
  };
}

const released = { outcome: 'released', reason: 'it shuts down' } as const;

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: ProblemError) => error.code,
  );

/** Health is looked at once a second. */
const SOON = { timeout: 5_000 };

describe('asking for work', () => {
  it('gives one job to one of twenty concurrent requests', async () => {
    const { submit, announce } = world();
    const trainers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => announce({ name: `racer ${n}` })),
    );
    const { job_id } = await submit();

    const leases = await Promise.all(trainers.map(({ trainer_id }) => client.lease(trainer_id)));

    expect(leases.filter((lease) => lease !== undefined)).toMatchObject([{ job: { job_id } }]);
    const given = leases.find((lease) => lease !== undefined)!;
    await client.end(given, completed);
  });

  it('holds the answer back until there is work, and gives it to the least loaded', async () => {
    const { submit, announce } = world();
    const [busy, idle] = await Promise.all([announce({ load: 3 }), announce({ load: 0.5 })]);
    const asked = [busy, idle].map(({ trainer_id }) => client.lease(trainer_id, 3));
    await expect.poll(asking, SOON).toBe('2 ask for work.');

    const { job_id } = await submit();
    const [toBusy, toIdle] = await Promise.all(asked);

    expect(toBusy).toBeUndefined();
    expect(toIdle).toMatchObject({ job: { job_id } });
    await client.end(toIdle!, completed);
  });

  it.each(['directly', 'behind the gateway'] as const)(
    'gives nothing to a trainer that hung up, asked %s',
    async (way) => {
      const { submit, announce } = world();
      const gone = await announce({ name: 'gone' });
      const waiting = askByHand(way, gone.trainer_id);
      await expect.poll(asking, SOON).toBe('1 ask for work.');
      waiting.reset();
      await expect.poll(asking, SOON).toBe('0 ask for work.');

      const { job_id } = await submit();
      const before = await client.job(job_id);
      const here = await announce({ name: 'here' });
      const lease = await client.lease(here.trainer_id);

      expect(before.attempts).toEqual([]);
      expect(lease).toMatchObject({ job: { job_id }, fencing_token: 1 });
      await client.end(lease!, completed);
    },
  );

  it('gives a trainer as many jobs as it has slots', async () => {
    const { submit, announce } = world();
    await submit();
    await submit();
    await submit();
    const { trainer_id } = await announce({ slots: 2 });

    const leases = [1, 2, 3].map(() => client.lease(trainer_id));
    const [one, two, three] = await Promise.all(leases);

    expect([one, two, three].filter((lease) => lease !== undefined)).toHaveLength(2);
    expect((await client.trainer(trainer_id)).jobs).toHaveLength(2);
    await client.end((one ?? two)!, completed);
    expect(await client.lease(trainer_id)).toBeDefined();
  });

  it('gives nothing to a trainer that is draining, and says who waits for what', async () => {
    const { submit, announce } = world();
    const { trainer_id } = await announce();
    await drain(trainer_id, true);
    const { job_id } = await submit({ requirements: { trainer_id } });

    expect(await client.lease(trainer_id)).toBeUndefined();
    const { status_reason } = await client.job(job_id);
    expect(status_reason).toContain(`waits for a trainer that is ${trainer_id} and has corpora/`);
    expect(await client.trainer(trainer_id)).toMatchObject({ status: 'draining' });
    await drain(trainer_id, false);
    expect(await client.lease(trainer_id)).toMatchObject({ job: { job_id } });
  });

  it('refuses a trainer that never came', async () => {
    const code = await codeOf(client.lease('trn_00000000000000000000000000'));

    expect(code).toBe('trainer_not_found');
  });
});

/** A request for work through a socket that can be torn. */
function askByHand(way: 'directly' | 'behind the gateway', trainer_id: string) {
  const [url, path] =
    way === 'directly' ? [edge.training, '/leases'] : [edge.gateway, '/training/leases'];
  const body = JSON.stringify({ trainer_id, wait_s: 25 });
  const waiting = openRequest(url, [
    `POST ${path} HTTP/1.1`,
    `Host: ${url.host}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]);
  void waiting.write(new TextEncoder().encode(body));
  return waiting;
}

/** The health detail about long polls that wait. */
async function asking(): Promise<string> {
  const answer = await fetch(new URL('/health', edge.training));
  const { checks } = Health.parse(await answer.json());
  return checks['jobs']?.detail.split(', ').at(-1) ?? '';
}

async function drain(id: string, draining: boolean): Promise<void> {
  const answer = await fetch(new URL(`/trainers/${id}/drain`, edge.training), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ draining }),
  });
  expect(answer.status).toBe(200);
}

describe('the queue', () => {
  it('goes by priority, then what had been begun, then the order of coming', async () => {
    const { submit, announce } = world();
    const { trainer_id } = await announce();
    const begun = await submit({ priority: 50, model_name: 'begun' });
    const first = (await client.lease(trainer_id))!;
    await client.beat(first);
    const early = await submit({ priority: 50, model_name: 'early' });
    const late = await submit({ priority: 50, model_name: 'late' });
    const urgent = await submit({ priority: 90, model_name: 'urgent' });
    await client.end(first, released);

    const order: string[] = [];
    for (let i = 0; i < 4; i++) {
      const lease = (await client.lease(trainer_id))!;
      order.push(lease.job.job_id);
      await client.end(lease, completed);
    }

    expect(order).toEqual([urgent, begun, early, late].map(({ job_id }) => job_id));
  });
});

describe('a lease that is over', () => {
  it('is refused wherever it is shown, and changes nothing', async () => {
    const { submit, announce } = world();
    const { job_id } = await submit();
    const { trainer_id } = await announce();
    const old = (await client.lease(trainer_id))!;
    await client.beat(old, { progress: progressAt(10) });
    await client.end(old, released);
    const now = (await client.lease(trainer_id))!;
    await client.beat(now, { progress: progressAt(20) });
    const before = await client.job(job_id);
    const files = [{ filename: 'a', digest: aDigest, size_bytes: 0, parts: [] }];

    const codes = [
      await codeOf(client.beat(old, { progress: progressAt(99), points: [pointAt(99)] })),
      await codeOf(client.commit(old, 99, { files })),
      await codeOf(client.end(old, completed)),
      await codeOf(client.end(old, { outcome: 'cancelled' })),
      // The token of the one with the id of the other.
      await codeOf(client.beat({ ...old, fencing_token: now.fencing_token })),
      await codeOf(client.beat({ ...now, fencing_token: old.fencing_token })),
    ];

    expect(codes).toEqual(Array.from({ length: 6 }, () => 'stale_lease'));
    expect(await client.job(job_id)).toEqual(before);
    expect(await client.series(job_id)).toEqual([]);
    expect(now.fencing_token).toBeGreaterThan(old.fencing_token);
    await client.end(now, completed);
  });

  it('was ended once, however often its trainer says so', async () => {
    const { submit, announce } = world();
    const { job_id } = await submit();
    const { trainer_id } = await announce();
    const lease = (await client.lease(trainer_id))!;
    await client.beat(lease);

    await client.end(lease, released);
    const again = await client.end(lease, released);

    expect(again).toMatchObject({ status: 'recovering', attempts: [{ outcome: 'released' }] });
    await client.cancel(job_id);
  });

  it('stops its trainer once the job has ended', async () => {
    const { submit, announce } = world();
    const { job_id } = await submit();
    const { trainer_id } = await announce();
    const lease = (await client.lease(trainer_id))!;

    const cancelled = await client.cancel(job_id);

    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await client.beat(lease)).toMatchObject({ cancel: 'stop' });
    expect(await codeOf(client.end(lease, completed))).toBe('stale_lease');
  });
});

describe('a trainer that goes away', () => {
  it('gives its jobs back, from their last checkpoint, without a recovery', async () => {
    const { submit, announce } = world();
    const { job_id } = await submit({ max_recoveries: 0 });
    const one = await announce({ name: 'one' });
    const lease = (await client.lease(one.trainer_id))!;
    await client.beat(lease, { progress: progressAt(60), points: [pointAt(40), pointAt(60)] });
    const files = [{ filename: 'a', digest: aDigest, size_bytes: 0, parts: [] }];
    await client.commit(lease, 40, { files });

    await fetch(new URL(`/trainers/${one.trainer_id}`, edge.training), { method: 'DELETE' });
    const two = await announce({ name: 'two' });
    const next: Lease = (await client.lease(two.trainer_id))!;

    expect(next).toMatchObject({
      checkpoint: { step: 40 },
      attempt: 2,
      job: {
        status: 'recovering',
        attempts: [{ outcome: 'released', last_step: 60 }, { from_step: 40 }],
      },
    });
    // The curve goes on from there.
    expect(await client.series(job_id)).toEqual([pointAt(40)]);
    expect(await codeOf(client.trainer(one.trainer_id))).toBe('trainer_not_found');
    await client.end(next, completed);
  });
});
