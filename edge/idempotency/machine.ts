/** A stored response: enough to replay it. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** State of a request with an Idempotency-Key. */
export interface RequestState {
  readonly fingerprint: string;
  readonly status: 'running' | 'done';
  /** When a running request counts as lost, or when a done one is forgotten. */
  readonly until: number;
  /** Null while it runs, and for responses that are secret or too large to store. */
  readonly answer: StoredResponse | null;
}

type Decision =
  | { readonly kind: 'start' }
  | { readonly kind: 'replay'; readonly answer: StoredResponse }
  | { readonly kind: 'in-flight' | 'mismatch' | 'not-kept' };

/** Result of beginning a request. */
export type Begun =
  | Exclude<Decision, { readonly kind: 'start' }>
  /** The caller executes the request and reports its outcome under this number. */
  | { readonly kind: 'start'; readonly number: number };

/** Longer than any response may take: then the executing request is considered dead. */
export const LEASE_MS = 120_000;
export const KEPT_MS = 24 * 3600 * 1000;

/**
 *   none --start--> running --finish--> done --a day--> none
 *                     |  |--release---> none     (it was refused, so nothing was done)
 *                     |--lease over---> none     (the executing request died)
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
