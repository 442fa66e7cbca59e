import type { Caller } from '../../edge/http/caller.ts';
import {
  type Begun,
  decide,
  KEPT_MS,
  type StoredResponse,
  LEASE_MS,
  type IdempotencyRecords,
  idempotencyOwner,
  type RequestState,
} from '../../edge/http/idempotency.ts';

/** More requests than this of one caller, and the oldest is forgotten. */
const MAX_REQUESTS = 1000;
/** More callers than this, and the one that was quiet the longest is forgotten. */
const MAX_CALLERS = 1000;

/**
 * Answers to requests with an Idempotency-Key, in the memory of this process: a process that ends
 * forgets them. Each caller has their own.
 */
export function createMemoryIdempotency(
  now: () => number = Date.now,
): (caller: Caller) => IdempotencyRecords {
  const callers = new Map<string, IdempotencyRecords>();
  return (caller) => {
    const name = idempotencyOwner(caller);
    const repeats = callers.get(name) ?? repeatsOfOne(now);
    callers.delete(name);
    callers.set(name, repeats);
    dropOldest(callers, MAX_CALLERS);
    return repeats;
  };
}

interface Kept {
  readonly number: number;
  readonly state: RequestState;
}

function repeatsOfOne(now: () => number): IdempotencyRecords {
  const requests = new Map<string, Kept>();
  const scopes = new Map<number, string>();
  let latest = 0;
  /** State of a begun request; undefined once another one has taken its number. */
  const running = (number: number) => {
    const scope = scopes.get(number) ?? '';
    scopes.delete(number);
    const kept = requests.get(scope);
    return kept?.number === number ? { scope, ...kept } : undefined;
  };
  return {
    async begin(scope, fingerprint): Promise<Begun> {
      const decision = decide(requests.get(scope)?.state, fingerprint, now());
      if (decision.kind !== 'start') return decision;
      latest += 1;
      scopes.set(latest, scope);
      requests.delete(scope);
      const until = now() + LEASE_MS;
      const state = { fingerprint, status: 'running', until, answer: null } as const;
      requests.set(scope, { number: latest, state });
      dropOldest(requests, MAX_REQUESTS);
      return { kind: 'start', number: latest };
    },
    async finish(number, answer: StoredResponse | null) {
      const ended = running(number);
      if (!ended) return;
      const state = { ...ended.state, status: 'done', until: now() + KEPT_MS, answer } as const;
      requests.set(ended.scope, { number, state });
    },
    async release(number) {
      const ended = running(number);
      if (ended) requests.delete(ended.scope);
    },
  };
}

/** A map keeps the order in which its entries came. */
function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
