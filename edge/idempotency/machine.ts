/** An answer as it is kept: enough to give it once more. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is known of a request with an Idempotency-Key. */
export interface RequestState {
  readonly fingerprint: string;
  readonly status: 'running' | 'done';
  /** When a running request counts as lost, or when a done one is forgotten. */
  readonly until: number;
  /** Null while it runs, and where the answer is a secret or too large to be kept. */
  readonly answer: StoredResponse | null;
}

export type Decision =
  | { readonly kind: 'start' }
  | { readonly kind: 'replay'; readonly answer: StoredResponse }
  | { readonly kind: 'in-flight' | 'mismatch' | 'not-kept' };

/** What is answered to who begins. */
export type Begun =
  | Exclude<Decision, { readonly kind: 'start' }>
  /** The caller carries the request out and tells under this number how it ended. */
  | { readonly kind: 'start'; readonly number: number };

/** Longer than any answer may take: after it, whoever carried the request out has died. */
export const LEASE_MS = 120_000;
export const KEPT_MS = 24 * 3600 * 1000;

/**
 *   none --start--> running --finish--> done --a day--> none
 *                     |  |--release---> none     (it was refused, so nothing was done)
 *                     |--lease over---> none     (whoever carried it out has died)
 */
export function decide(
  state: RequestState | undefined,
  fingerprint: string,
  now: number,
): Decision {
  if (!state || state.until <= now) return { kind: 'start' };
  if (state.fingerprint !== fingerprint) return { kind: 'mismatch' };
  if (state.status === 'running') return { kind: 'in-flight' };
  return state.answer ? { kind: 'replay', answer: state.answer } : { kind: 'not-kept' };
}
