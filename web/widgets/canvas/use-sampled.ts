import { useMemo, useSyncExternalStore } from 'react';
import type { Source } from '../buffers/signal.ts';

/**
 * Re-renders the component after `source` changed, but at most once in `intervalMs`: for sentences,
 * tables and readouts, which nobody reads sixty times a second.
 * @returns the source's version at the last rendering
 */
export function useSampled(source: Source, intervalMs: number): number {
  const sampled = useMemo(() => sample(source, intervalMs), [source, intervalMs]);
  return useSyncExternalStore(sampled.subscribe, sampled.version);
}

function sample(source: Source, intervalMs: number) {
  let version = source.version;
  return {
    version: () => version,
    subscribe(notify: () => void) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const refresh = () => {
        timer = undefined;
        version = source.version;
        notify();
      };
      const changed = () => {
        timer ??= setTimeout(refresh, intervalMs);
      };
      // Data pushed between rendering and subscribing counts as a change.
      if (version !== source.version) changed();
      const unsubscribe = source.subscribe(changed);
      return () => {
        clearTimeout(timer);
        unsubscribe();
      };
    },
  };
}
