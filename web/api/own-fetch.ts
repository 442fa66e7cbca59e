import { Session, CSRF_HEADER } from '../../edge/access/contract/session.ts';

/**
 * Headers of unsafe requests besides the session cookie. One record that is
 * changed in place, so that clients which keep it always send the latest.
 */
export const sessionHeaders: Record<string, string> = {};

let isKnown = false;
const refusals = new EventTarget();

/** Keeps the CSRF token of the session; null where there is no session, and so no need of one. */
export function keepCsrfToken(token: string | null): void {
  isKnown = true;
  if (token === null) delete sessionHeaders[CSRF_HEADER];
  else sessionHeaders[CSRF_HEADER] = token;
}

/** Calls `listener` whenever the gateway asks for credentials. */
export function onSignedOut(listener: () => void): void {
  refusals.addEventListener('signed-out', listener);
}

/**
 * How this dashboard asks its gateway: never an answer of before, and with the CSRF token where
 * something changes. A worker, or a page whose session began in another tab, finds the token out.
 */
export const ownFetch: typeof fetch = async (input, init = {}) => {
  const isSafe = ['GET', 'HEAD', undefined].includes(init.method);
  if (!isSafe && !isKnown) await findToken();
  const answer = await send(input, init);
  if (answer.status === 401) refusals.dispatchEvent(new Event('signed-out'));
  if (isSafe || answer.status !== 403) return answer;
  const before = sessionHeaders[CSRF_HEADER];
  await findToken();
  return sessionHeaders[CSRF_HEADER] === before ? answer : send(input, init);
};

function send(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(sessionHeaders)) headers.set(name, value);
  return fetch(input, { ...init, headers, cache: 'no-store' });
}

async function findToken(): Promise<void> {
  const answer = await fetch('/api/session', { cache: 'no-store' });
  const session = Session.safeParse(await answer.json().catch(() => undefined));
  if (session.success) keepCsrfToken(session.data.csrf_token);
}
