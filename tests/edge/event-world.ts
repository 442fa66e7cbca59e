import { followEvents, type FollowOptions } from '../../edge/events/contract/follow-events.ts';
import type { EventType, PlatformEvent } from '../../edge/events/contract/platform-event.ts';
import { type Asked, httpTo } from './log-listener.ts';

/** Somebody who follows events; what came so far, and the next that is as wanted. */
export interface EventReader extends AsyncDisposable {
  readonly read: readonly PlatformEvent[];
  next(type: EventType, isIt?: (event: PlatformEvent) => boolean): Promise<PlatformEvent>;
}

/** Follows events until it is disposed of. What is refused for good is thrown by `next`. */
export function readEventsOf(asked: Asked, options: FollowOptions = {}): EventReader {
  const read: PlatformEvent[] = [];
  const stop = new AbortController();
  let wake = Promise.withResolvers<void>();
  const done = (async () => {
    const backoff = { firstMs: 50, mostMs: 200 };
    const events = followEvents(httpTo(asked), { backoff, ...options, signal: stop.signal });
    for await (const item of events) {
      if (item.type !== 'gap') read.push(item);
      wake.resolve();
      wake = Promise.withResolvers();
    }
  })();
  done.catch(() => {});
  return {
    read,
    async next(type, isIt = () => true) {
      for (;;) {
        const found = read.find((event) => event.type === type && isIt(event));
        if (found) return found;
        await Promise.race([wake.promise, done]);
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await done.catch(() => {});
    },
  };
}
