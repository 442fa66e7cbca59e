import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Edge, problemOf, startEdge } from './harness.ts';
import {
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

let files = 0;
async function running() {
  // Tests share the service: each has a trainer of its own.
  const dataset_path = `corpora/${++files}.txt`;
  const { job_id } = await client.submit({ dataset_path });
  const { trainer_id } = await client.announce({ datasets: [dataset_path] });
  const lease = (await client.lease(trainer_id))!;
  await client.beat(lease);
  return { job_id, lease };
}

interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** Reads server-sent events one by one. */
async function openStream(base: URL, jobId: string, headers: Record<string, string> = {}) {
  const answer = await fetch(new URL(`jobs/${jobId}/events`, `${base.href.replace(/\/$/, '')}/`), {
    headers: { accept: 'text/event-stream', ...headers },
  });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<Frame | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        return Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)));
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  const rest = async () => {
    const frames: Frame[] = [];
    for (let frame = await next(); frame; frame = await next()) frames.push(frame);
    return frames;
  };
  return { next, rest, hangUp: () => reader.cancel() };
}

const named = ({ event, id }: Frame = {}) => `${id ?? '-'} ${event ?? ''}`;

describe.each(['directly', 'behind the gateway'] as const)(
  'the events of a job, asked %s',
  (way) => {
    const base = () => (way === 'directly' ? edge.training : new URL('/training', edge.gateway));

    it('come as they happen, what is measured between them, until the job has ended', async () => {
      const { job_id, lease } = await running();
      const stream = await openStream(base(), job_id);
      const first = [await stream.next(), await stream.next()];
      const past = [await stream.next(), await stream.next(), await stream.next()];
      await client.beat(lease, { progress: progressAt(5), points: [pointAt(5)] });
      const measured = await stream.next();
      await client.beat(lease, { messages: [{ level: 'warn', message: 'hot' }] });
      const message = await stream.next();
      await client.end(lease, completed);
      const rest = await stream.rest();

      expect(first[0]).toEqual({ retry: '2000' });
      expect([first[1], ...past].map(named)).toEqual([
        '1 job.status',
        '2 job.lease',
        '3 job.status',
        '4 job.status',
      ]);
      expect(named(measured)).toBe('- metrics');
      expect(JSON.parse(measured!.data!)).toEqual(pointAt(5));
      expect(named(message)).toBe('5 job.message');
      expect(JSON.parse(message!.data!)).toMatchObject({ seq: 5, level: 'warn', message: 'hot' });
      expect(rest.map(named)).toEqual(['6 job.status']);
    });

    it('go on after the last one that arrived', async () => {
      const { job_id, lease } = await running();
      const cut = await openStream(base(), job_id);
      await cut.next();
      const seen = [await cut.next(), await cut.next()].map((frame) => frame?.id);
      await cut.hangUp();
      await client.end(lease, completed);

      const resumed = await openStream(base(), job_id, { 'last-event-id': seen.at(-1)! });
      const [, ...rest] = await resumed.rest();

      expect([...seen, ...rest.map(({ id }) => id)]).toEqual(['1', '2', '3', '4', '5']);
    });
  },
);

describe('events and measurements', () => {
  it('are pages, too', async () => {
    const { job_id } = await running();

    const answer = await fetch(new URL(`/jobs/${job_id}/events?after=1&limit=2`, edge.training));

    expect(await answer.json()).toMatchObject({
      events: [{ seq: 2 }, { seq: 3 }],
      total: 4,
      has_more: true,
    });
    await client.cancel(job_id);
  });

  it('are refused for what is no event and no job', async () => {
    const { job_id } = await running();
    const accept = { accept: 'text/event-stream' };
    const odd = await fetch(new URL(`/jobs/${job_id}/events`, edge.training), {
      headers: { ...accept, 'last-event-id': 'evt_1' },
    });
    const missing = await fetch(new URL('/jobs/job_none/events', edge.training), {
      headers: accept,
    });
    const series = await fetch(new URL('/jobs/job_none/metrics', edge.training));

    expect((await problemOf(odd)).code).toBe('invalid_parameter');
    expect((await problemOf(missing)).code).toBe('job_not_found');
    expect((await problemOf(series)).code).toBe('job_not_found');
  });

  it('thin out evenly above a thousand points', async () => {
    const { job_id, lease } = await running();
    for (let from = 0; from < 2600; from += 200) {
      const points = Array.from({ length: 200 }, (_, i) => pointAt(from + i + 1));
      await client.beat(lease, { points });
    }

    const steps = (await client.series(job_id)).map(({ step }) => step);
    const gaps = new Set(steps.slice(1).map((step, i) => step - steps[i]!));

    expect(steps.length).toBeGreaterThan(500);
    expect(steps.length).toBeLessThanOrEqual(1000);
    expect([...gaps].toSorted()).toEqual([4]);
    expect(steps.at(-1)).toBeGreaterThan(2590);
  });
});
