import type { QueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { getHealth, healthQuery } from '../api/health.ts';
import { onSignedOut } from '../api/own-fetch.ts';
import { createQueryClient } from '../api/query-client.ts';
import { sessionQuery } from '../api/session-client.ts';
import { watchConnection, type ConnectionWatch } from '../stores/connection.ts';
import { createPreferences, type PreferenceStore } from '../stores/preferences.ts';
import { createToasts, type Toasts } from '../stores/toasts.ts';

/** Services that live as long as the page: created once in main.tsx and passed down. */
export interface Services {
  readonly preferences: PreferenceStore;
  readonly connection: ConnectionWatch;
  readonly toasts: Toasts;
  readonly queries: QueryClient;
}

/** The services of a page in a browser. */
export function createServices(): Services {
  const queries = createQueryClient();
  const connection = watchConnection({
    // The answer also serves the screens that show the gateway's health.
    probe: async (signal) => queries.setQueryData(healthQuery.queryKey, await getHealth(signal)),
    now: Date.now,
    network: window,
    page: document,
  });
  refreshWhenBack(connection, queries);
  // Whether one has to sign in is the session's to say; several refusals at once ask it once.
  onSignedOut(() => void queries.refetchQueries(sessionQuery, { cancelRefetch: false }));
  const preferences = createPreferences({
    // Looked up at each call: where storage is blocked, the look-up itself throws.
    storage: {
      getItem: (key) => localStorage.getItem(key),
      setItem: (key, value) => localStorage.setItem(key, value),
    },
    languages: navigator.languages,
    address: () => new URL(location.href),
    replaceAddress: (url) => history.replaceState(history.state, '', url),
  });
  return { preferences, connection, toasts: createToasts(), queries };
}

/** After the gateway was away, everything shown is asked for again, and at once. */
function refreshWhenBack({ store }: ConnectionWatch, queries: QueryClient): void {
  store.subscribe(({ status }, before) => {
    const wasAway = before.status === 'reconnecting' || before.status === 'offline';
    if (status === 'live' && wasAway) void queries.invalidateQueries();
  });
}

export const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = use(ServicesContext);
  if (!services) throw new Error('useServices is called outside of <App>');
  return services;
}
