import { useMemo, useSyncExternalStore } from 'react';

/** Whether a media query holds now, as in `(prefers-reduced-motion: reduce)`. */
export function useMedia(query: string): boolean {
  const media = useMemo(() => {
    const list = window.matchMedia(query);
    return {
      matches: () => list.matches,
      subscribe(notify: () => void) {
        list.addEventListener('change', notify);
        return () => list.removeEventListener('change', notify);
      },
    };
  }, [query]);
  return useSyncExternalStore(media.subscribe, media.matches);
}

export const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';
