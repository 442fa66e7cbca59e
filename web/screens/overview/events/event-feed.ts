import { createStore, type StoreApi } from 'zustand/vanilla';
import type { StreamEvent } from '../../../../edge/contract/event-stream.ts';
import { PlatformEvent, StreamStart } from '../../../../edge/events/contract/platform-event.ts';
import type { EventsFrom } from '../../../api/events.ts';
import { followStream, type StreamLink } from '../../../api/follow-stream.ts';
import { EVENT_LINES } from './event-room.ts';

/** Of the latest, so many are looked at for some to show. */
const TAIL = 50;

interface EventFeedState {
  readonly link: StreamLink;
  /** The newest first; undefined before a stream has begun. */
  readonly events: readonly PlatformEvent[] | undefined;
}

/** The newest events of the platform, as they come; after every cut from where it was. */
interface EventFeed {
  readonly store: StoreApi<EventFeedState>;
  /** Follows the events until the returned function is called. */
  follow(): () => void;
}

export function createEventFeed(
  open: (from: EventsFrom, signal: AbortSignal) => Promise<Response>,
): EventFeed {
  const store = createStore<EventFeedState>(() => ({
    link: { status: 'connecting' },
    events: undefined,
  }));
  /** The number of the last event; undefined before any stream has begun. */
  let after: number | undefined;

  function onEvent({ event, data }: StreamEvent) {
    // Events that the server no longer stores are older than those shown.
    if (event === 'gap') return;
    const value: unknown = JSON.parse(data);
    if (event === 'start') {
      after ??= StreamStart.parse(value).seq;
      store.setState(({ events = [] }) => ({ events }));
      return;
    }
    const received = PlatformEvent.safeParse(value).data;
    if (!received || received.seq <= (after ?? 0)) return;
    after = received.seq;
    if (!isShown(received)) return;
    store.setState(({ events = [] }) => ({ events: [received, ...events].slice(0, EVENT_LINES) }));
  }

  return {
    store,
    follow: () =>
      followStream({
        open: (signal) => open(after === undefined ? { tail: TAIL } : { after }, signal),
        onEvent,
        isOver: () => false,
        changed: (link) => store.setState({ link }),
      }),
  };
}

/** A job saves many checkpoints: they would hide all else. */
const isShown = ({ type }: PlatformEvent): boolean => type !== 'job.checkpoint';
