/** Failures in a row that take an instance out of the rotation. */
const FAILURES = 5;
/** The first ejection takes so long, the n-th n times as long. */
const EJECTION_MS = 30_000;
const LONGEST = 10;
/** An instance that has kept well for so long starts anew. */
const FORGIVEN_MS = 300_000;

/**
 * What the answers of one instance make of it.
 *
 *   in rotation --5 failures in a row--> ejected (30 s x n) --time--> in rotation
 */
export interface OutlierState {
  readonly consecutiveFailures: number;
  readonly ejections: number;
  /** In epoch milliseconds; 0 where it was never ejected. */
  readonly ejectedUntil: number;
}

export const NO_FAILURES: OutlierState = {
  consecutiveFailures: 0,
  ejections: 0,
  ejectedUntil: 0,
};

export interface Pool {
  readonly size: number;
  /** Instances that are ejected now. */
  readonly ejected: number;
}

export const isEjected = ({ ejectedUntil }: OutlierState, now: number): boolean =>
  now < ejectedUntil;

export function afterSuccess(state: OutlierState, now: number): OutlierState {
  const isForgiven = now >= state.ejectedUntil + FORGIVEN_MS;
  if (state.consecutiveFailures === 0 && !(isForgiven && state.ejections > 0)) return state;
  return {
    ...state,
    consecutiveFailures: 0,
    ejections: isForgiven ? 0 : state.ejections,
  };
}

/** At most half of the instances are ejected at a time; a denied ejection is asked for again. */
export function afterFailure(state: OutlierState, pool: Pool, now: number): OutlierState {
  const consecutiveFailures = state.consecutiveFailures + 1;
  const isRoom = (pool.ejected + 1) * 2 <= pool.size;
  if (consecutiveFailures < FAILURES || isEjected(state, now) || !isRoom) {
    return { ...state, consecutiveFailures };
  }
  const ejections = Math.min(state.ejections + 1, LONGEST);
  return { consecutiveFailures: 0, ejections, ejectedUntil: now + EJECTION_MS * ejections };
}
