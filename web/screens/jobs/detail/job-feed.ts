import { useEffect, useMemo } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { StreamEvent } from '../../../../edge/contract/event-stream.ts';
import { JobEvent, MetricPoint } from '../../../../edge/training/contract/job-event.ts';
import { JobStatus, TERMINAL } from '../../../../edge/training/contract/job.ts';
import { followStream, type StreamLink } from '../../../api/follow-stream.ts';
import { openJobStream, readSeries } from '../../../api/training.ts';
import { createSeriesBuffer } from '../../../widgets/buffers/series-buffer.ts';

/** Points come with heartbeats: these are hours. */
const ROWS = 20_000;

/** The curve buffers of one replica of a job. */
function createJobCurves() {
  /** Training and validation loss. */
  const loss = createSeriesBuffer(2, ROWS);
  const spikes = createSeriesBuffer(1, ROWS);
  const speed = createSeriesBuffer(1, ROWS);
  const gradient = createSeriesBuffer(1, ROWS);
  const all = [loss, spikes, speed, gradient];
  let newest = { step: -1, time: -1 };

  function clear() {
    newest = { step: -1, time: -1 };
    for (const buffer of all) buffer.clear();
  }

  return {
    loss,
    spikes,
    speed,
    gradient,
    clear,
    /** Adds a point, unless it is already there. */
    add(point: MetricPoint) {
      const { step, time } = point;
      if (step <= newest.step) {
        if (time <= newest.time) return;
        // The job resumed from a checkpoint and repeats these steps.
        for (const buffer of all) buffer.dropAfter(step - 1);
      }
      newest = { step, time };
      loss.push(step, [orGap(point.train_loss), orGap(point.valid_loss)]);
      spikes.push(step, [orGap(point.spike_rate)]);
      speed.push(step, [orGap(point.tokens_per_s)]);
      gradient.push(step, [orGap(point.grad_norm)]);
    },
  };
}

export type JobCurves = ReturnType<typeof createJobCurves>;

const orGap = (value: number | null): number => value ?? Number.NaN;

interface FeedState {
  readonly link: StreamLink;
  /** The oldest first. */
  readonly events: readonly JobEvent[];
}

/** The event stream and the metric series of a job. */
export interface JobSource {
  /** Opens the stream of the events after one. */
  open(after: string, signal: AbortSignal): Promise<Response>;
  series(signal: AbortSignal): Promise<readonly MetricPoint[]>;
}

/** One replica of a job, followed over server-sent events that reconnect. */
export interface JobFeed {
  readonly store: StoreApi<FeedState>;
  readonly curves: JobCurves;
  /** Follows the job until the returned function is called. */
  follow(): () => void;
}

export function createJobFeed(seat: number, source: JobSource): JobFeed {
  const store = createStore<FeedState>(() => ({ link: { status: 'connecting' }, events: [] }));
  const curves = createJobCurves();
  const onEvent = createReceiver(seat, store, curves);

  return {
    store,
    curves,
    follow: () =>
      followStream({
        open: (signal) => openBoth(source, signal, { store, curves }),
        onEvent,
        isOver: () => isOver(store.getState().events),
        changed: (link) => store.setState({ link }),
      }),
  };
}

/** The stream is opened first: it buffers points that arrive while the series loads. */
async function openBoth(
  source: JobSource,
  signal: AbortSignal,
  { store, curves }: Pick<JobFeed, 'store' | 'curves'>,
): Promise<Response> {
  const stream = await source.open(String(store.getState().events.at(-1)?.seq ?? ''), signal);
  const points = await source.series(signal);
  curves.clear();
  for (const point of points) curves.add(point);
  return stream;
}

/** Applies a frame of the stream; unknown frames are skipped. */
function createReceiver(seat: number, store: StoreApi<FeedState>, curves: JobCurves) {
  return ({ event, data }: StreamEvent) => {
    const value: unknown = JSON.parse(data);
    if (event === 'metrics') {
      const point = MetricPoint.safeParse(value);
      if (point.success && point.data.seat === seat) curves.add(point.data);
      return;
    }
    const parsed = JobEvent.safeParse(value);
    const { events } = store.getState();
    if (!parsed.success || parsed.data.seq <= (events.at(-1)?.seq ?? 0)) return;
    store.setState({ events: [...events, parsed.data] });
  };
}

/** Whether the last reported status is terminal. */
function isOver(events: readonly JobEvent[]): boolean {
  const last = events.findLast(({ type }) => type === 'job.status');
  const status = JobStatus.safeParse(last?.data['to']);
  return status.success && TERMINAL.has(status.data);
}

/** The feed of a replica of a job, followed while the component is mounted. */
export function useJobFeed(id: string, seat: number): JobFeed {
  const feed = useMemo(
    () =>
      createJobFeed(seat, {
        open: (after, signal) => openJobStream(id, after, signal),
        series: (signal) => readSeries(id, seat, signal),
      }),
    [id, seat],
  );
  useEffect(() => feed.follow(), [feed]);
  return feed;
}
