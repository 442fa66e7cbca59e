import { createStore, type StoreApi } from 'zustand/vanilla';
import { readEvents } from '../../../../edge/contract/event-stream.ts';
import { JobEvent, MetricPoint } from '../../../../edge/contract/training/job-event.ts';
import { JobStatus, TERMINAL } from '../../../../edge/contract/training/job.ts';
import { backoffMs, isPassing, pause } from '../../../../trainer/backoff.ts';
import { createJobCurves, type JobCurves } from './job-curves.ts';

export interface FeedState {
  readonly link:
    | { readonly status: 'connecting' | 'live' | 'lost' | 'over' }
    | { readonly status: 'refused'; readonly error: unknown };
  /** The oldest first. */
  readonly events: readonly JobEvent[];
}

/** Where a feed has what happened and what was measured from. */
export interface JobSource {
  /** The stream of events after one. */
  open(after: string, signal: AbortSignal): Promise<Response>;
  series(signal: AbortSignal): Promise<readonly MetricPoint[]>;
}

/** One seat of a job, followed over server-sent events: after every cut it comes back. */
export interface JobFeed {
  readonly store: StoreApi<FeedState>;
  readonly curves: JobCurves;
  /** Follows the job until the returned function is called. */
  follow(): () => void;
}

export function createJobFeed(seat: number, source: JobSource): JobFeed {
  const store = createStore<FeedState>(() => ({ link: { status: 'connecting' }, events: [] }));
  const curves = createJobCurves();
  const hear = createEar(seat, store, curves);

  async function goOn(signal: AbortSignal) {
    for (let failures = 0; !signal.aborted;) {
      try {
        await followOnce(source, signal, { store, curves, hear });
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (!isPassing(error)) return store.setState({ link: { status: 'refused', error } });
        failures += 1;
      }
      if (isOver(store.getState().events)) return store.setState({ link: { status: 'over' } });
      store.setState({ link: { status: 'lost' } });
      await pause(backoffMs(Math.max(1, failures)), signal);
    }
  }

  return {
    store,
    curves,
    follow() {
      const closed = new AbortController();
      void goOn(closed.signal);
      return () => closed.abort();
    },
  };
}

interface Followed {
  readonly store: StoreApi<FeedState>;
  readonly curves: JobCurves;
  readonly hear: (event: string, data: string) => void;
}

/** The stream is opened first: what is measured while the series is on its way waits in it. */
async function followOnce(
  source: JobSource,
  signal: AbortSignal,
  { store, curves, hear }: Followed,
): Promise<void> {
  const stream = await source.open(String(store.getState().events.at(-1)?.seq ?? ''), signal);
  const points = await source.series(signal);
  curves.clear();
  for (const point of points) curves.add(point);
  store.setState({ link: { status: 'live' } });
  for await (const { event, data } of readEvents(stream)) hear(event, data);
}

/** What a frame of the stream changes; one of another form is passed over. */
function createEar(seat: number, store: StoreApi<FeedState>, curves: JobCurves) {
  return (event: string, data: string) => {
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

/** Whether the last state that was told of is one that a job keeps. */
function isOver(events: readonly JobEvent[]): boolean {
  const last = events.findLast(({ type }) => type === 'job.status');
  const status = JobStatus.safeParse(last?.data['to']);
  return status.success && TERMINAL.has(status.data);
}
