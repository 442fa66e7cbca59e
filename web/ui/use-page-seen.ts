import { useSyncExternalStore } from 'react';

/** Whether the page is seen: a tab behind others need not keep a connection, of which a browser has few. */
export const usePageSeen = (): boolean =>
  useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');

function subscribe(notify: () => void): () => void {
  document.addEventListener('visibilitychange', notify);
  return () => document.removeEventListener('visibilitychange', notify);
}
