import { queryOptions } from '@tanstack/react-query';
import { clientOf } from '../../edge/contract/client.ts';
import { sessionEndpoints } from '../../edge/access/session-endpoints.ts';
import type { Session } from '../../edge/access/contract/session.ts';
import { keepCsrfToken } from './own-fetch.ts';
import { serviceHttp } from './service-http.ts';

const gateway = serviceHttp('');
const sessionApi = clientOf(sessionEndpoints, gateway);

/** A session that ends is asked for again then; beyond this a timer of the browser overflows. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** The current session; refetched when it expires, and whenever the gateway asks for credentials. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => storeCsrfToken(await sessionApi.getSession({ signal })),
  staleTime: 60_000,
  refetchInterval: ({ state }) => untilEnd(state.data),
});

function untilEnd(session: Session | undefined): number | false {
  if (!session?.expires_at) return false;
  const leftMs = Date.parse(session.expires_at) - Date.now();
  return Math.min(Math.max(leftMs, 0) + 1_000, MAX_WAIT_MS);
}

/** Exchanges an API key for a session. @throws ProblemError unauthenticated or rate_limited */
export async function signIn(key: string): Promise<Session> {
  return storeCsrfToken(await sessionApi.signIn({ body: { key } }));
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  await sessionApi.signOut();
}

function storeCsrfToken(session: Session): Session {
  keepCsrfToken(session.csrf_token);
  return session;
}
