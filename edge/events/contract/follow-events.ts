import { readEvents } from '../../contract/event-stream.ts';
import { checked, type Http, queryOf } from '../../contract/client.ts';
import { type BackoffPolicy, backoffMs } from '../../logs/contract/backoff.ts';
import { ProblemError } from '../../contract/problem-error.ts';
import { eventEndpoints } from '../endpoints.ts';
import { EventGap, type EventType, PlatformEvent, StreamStart } from './platform-event.ts';

export interface FollowOptions {
  /** Of these types; all that the caller may see where it is left out. */
  readonly types?: readonly EventType[] | undefined;
  /** Goes on after this number; without it, begins with `tail` of the latest events. */
  readonly after?: number;
  readonly tail?: number;
  readonly signal?: AbortSignal;
  readonly backoff?: BackoffPolicy;
  /** The stream broke, or nothing answered: it is tried again in so many milliseconds. */
  readonly lost?: (retryInMs: number) => void;
}

const BACKOFF: BackoffPolicy = { firstMs: 250, mostMs: 15_000 };

/**
 * The events of a platform as they come, in Node and in browsers alike, until the signal ends it.
 * Where the stream breaks it goes on after the last event that came; what is gone by then is a gap.
 *
 * @throws ProblemError where the platform refuses for good
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

/** Where a follower is, over all of its streams. */
interface Place {
  /** The number of the last event; undefined before any stream has begun. */
  last: number | undefined;
  /** Streams in a row that brought nothing. */
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
    if (!signal?.aborted && !isPassing(error)) throw error;
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

/** Nothing answers, the connection broke, or the platform has too much to do. */
const isPassing = (error: unknown): boolean =>
  error instanceof ProblemError ? error.problem.retryable : error instanceof TypeError;

function schemaOf(event: string) {
  if (event === 'gap') return EventGap;
  return event === 'start' ? StreamStart : PlatformEvent;
}

/** Waits, or until the signal ends it. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => (clearTimeout(timer), resolve());
    signal?.addEventListener('abort', stop, { once: true });
  });
}
