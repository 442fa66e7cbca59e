import { readEvents } from '../../contract/event-stream.ts';
import { checked, type Http, queryOf } from '../../contract/client.ts';
import { type BackoffPolicy, backoffMs } from '../../logs/contract/backoff.ts';
import { ProblemError } from '../../contract/problem-error.ts';
import { eventEndpoints } from '../endpoints.ts';
import { EventGap, type EventType, PlatformEvent, StreamStart } from './platform-event.ts';

export interface FollowOptions {
  /** The types of events; by default all that the caller may see. */
  readonly types?: readonly EventType[] | undefined;
  /** Resumes after this number; without it, starts with `tail` of the latest events. */
  readonly after?: number;
  readonly tail?: number;
  readonly signal?: AbortSignal;
  readonly backoff?: BackoffPolicy;
  /** Called when the stream breaks, with the delay until it is retried. */
  readonly lost?: (retryInMs: number) => void;
}

const BACKOFF: BackoffPolicy = { firstMs: 250, mostMs: 15_000 };

/**
 * The events of a platform as they occur, in Node and in browsers alike, until the signal aborts.
 * A broken stream resumes after the last event received; events expired by then are a gap.
 *
 * @throws ProblemError for a permanent refusal
 */
export async function* followEvents(
  http: Http,
  options: FollowOptions = {},
): AsyncGenerator<PlatformEvent | EventGap> {
  const { signal, backoff = BACKOFF, lost } = options;
  const place: Place = { last: options.after, failures: 0 };
  for (;;) {
    yield* readOneStream(http, options, place);
    if (signal?.aborted) return;
    place.failures += 1;
    const waitMs = backoffMs(place.failures, backoff);
    lost?.(waitMs);
    await pause(waitMs, signal);
  }
}

/** The position of a follower, across its streams. */
interface Place {
  /** The number of the last event; undefined before the first stream. */
  last: number | undefined;
  /** Consecutive streams without an event. */
  failures: number;
}

async function* readOneStream(
  http: Http,
  { types, tail = 0, signal }: FollowOptions,
  place: Place,
): AsyncGenerator<PlatformEvent | EventGap> {
  const begin = place.last === undefined ? { tail } : { after: place.last };
  try {
    for await (const item of openStream(http, { type: types, ...begin }, signal)) {
      place.failures = 0;
      if (item.type !== 'gap') place.last = item.seq;
      if (item.type !== 'start') yield item;
    }
  } catch (error) {
    if (!signal?.aborted && !isTransient(error)) throw error;
  }
}

async function* openStream(
  http: Http,
  query: Parameters<typeof queryOf>[0],
  signal: AbortSignal | undefined,
): AsyncGenerator<PlatformEvent | EventGap | StreamStart> {
  const { path } = eventEndpoints.listPlatformEvents;
  const answer = await http.fetch(http.base + path + queryOf(query), {
    headers: { ...http.headers, accept: 'text/event-stream' },
    ...(signal && { signal }),
  });
  for await (const { event, data } of readEvents(await checked(answer))) {
    yield schemaOf(event).parse(JSON.parse(data));
  }
}

/** A transient error: no response, a broken connection, or overload. */
const isTransient = (error: unknown): boolean =>
  error instanceof ProblemError ? error.problem.retryable : error instanceof TypeError;

function schemaOf(event: string) {
  if (event === 'gap') return EventGap;
  return event === 'start' ? StreamStart : PlatformEvent;
}

/** Waits for a time, or until the signal aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => (clearTimeout(timer), resolve());
    signal?.addEventListener('abort', stop, { once: true });
  });
}
