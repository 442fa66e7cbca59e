import { describe, expect, it, vi } from 'vitest';
import type { JobEvent, MetricPoint } from '../../../../edge/training/contract/job-event.ts';
import { createJobFeed, type JobSource } from '../../../../web/screens/jobs/detail/job-feed.ts';

const event = (seq: number, to: string): JobEvent => ({
  id: `evt_${seq}`,
  seq,
  created_at: '2026-11-21T00:00:00.000Z',
  level: 'info',
  type: 'job.status',
  message: to,
  data: { to },
});

const point = (step: number, time: number, loss: number, seat = 0): MetricPoint => ({
  step,
  seat,
  time,
  train_loss: loss,
  valid_loss: null,
  tokens_per_s: 10,
  spike_rate: 0.1,
  learning_rate: 0.01,
  grad_norm: null,
});

const eventFrame = (one: JobEvent) =>
  `id: ${one.seq}\nevent: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`;
const pointFrame = (one: MetricPoint) => `event: metrics\ndata: ${JSON.stringify(one)}\n\n`;

/** A platform that answers each connection with the next of these streams. */
function platform(streams: readonly string[], series: readonly MetricPoint[] = []) {
  const asked: string[] = [];
  const source: JobSource = {
    open: async (after) => {
      asked.push(after);
      const text = streams[asked.length - 1];
      if (text === undefined) throw new TypeError('nobody answers');
      return new Response(text);
    },
    series: async () => series,
  };
  return { source, asked };
}

const lossesOf = (feed: ReturnType<typeof createJobFeed>) => {
  const { x, y } = feed.curves.loss.window();
  return Array.from(x, (step, row) => [step, y[0]?.[row]]);
};

describe('the feed of a job', () => {
  it('goes on after the last event once a connection broke, until the job has ended', async () => {
    const first = eventFrame(event(1, 'queued')) + eventFrame(event(2, 'running'));
    // The last event comes twice: a gateway may have answered before it broke.
    const second = eventFrame(event(2, 'running')) + eventFrame(event(3, 'succeeded'));
    const { source, asked } = platform([first, second]);
    const feed = createJobFeed(0, source);
    const stop = feed.follow();
    await vi.waitFor(() => expect(feed.store.getState().link.status).toBe('over'));
    stop();

    expect(asked).toEqual(['', '2']);
    expect(feed.store.getState().events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('draws what was measured before and since, each point once and of its seat alone', async () => {
    const frames = [point(20, 2, 4), point(30, 3, 3), point(30, 3, 9, 1)].map(pointFrame).join('');
    const { source } = platform(
      [frames + eventFrame(event(1, 'succeeded'))],
      [point(10, 1, 5), point(20, 2, 4)],
    );
    const feed = createJobFeed(0, source);
    feed.follow();
    await vi.waitFor(() => expect(feed.store.getState().link.status).toBe('over'));

    expect(lossesOf(feed)).toEqual([
      [10, 5],
      [20, 4],
      [30, 3],
    ]);
  });

  it('draws steps anew that a job comes by again, from its checkpoint on', async () => {
    const { source } = platform(
      [pointFrame(point(20, 9, 3.5)) + eventFrame(event(1, 'succeeded'))],
      [point(10, 1, 5), point(20, 2, 4), point(30, 3, 3)],
    );
    const feed = createJobFeed(0, source);
    feed.follow();
    await vi.waitFor(() => expect(feed.store.getState().link.status).toBe('over'));

    expect(lossesOf(feed)).toEqual([
      [10, 5],
      [20, 3.5],
    ]);
  });

  it('says what was refused for good, and asks no more', async () => {
    const source: JobSource = {
      open: async () => {
        throw new Error('not like this');
      },
      series: async () => [],
    };
    const feed = createJobFeed(0, source);
    feed.follow();

    await vi.waitFor(() => expect(feed.store.getState().link.status).toBe('refused'));
  });
});
