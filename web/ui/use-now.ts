import { useMemo, useSyncExternalStore } from 'react';

/** The time in ms since 1970, a new one every `everyMs`: for countdowns and "3 minutes ago". */
export function useNow(everyMs: number): number {
  const clock = useMemo(() => createClock(everyMs), [everyMs]);
  return useSyncExternalStore(clock.subscribe, clock.now);
}

function createClock(everyMs: number) {
  let now = Date.now();
  return {
    now: () => now,
    subscribe(notify: () => void) {
      const timer = setInterval(() => {
        now = Date.now();
        notify();
      }, everyMs);
      return () => clearInterval(timer);
    },
  };
}
