import { decayOf as checkedDecay } from '../checks.ts';

/** Fraction of a leaking quantity that is left after one step, `exp(-dt / tau)`; both in milliseconds. */
export const decayOf = (tauMs: number, dtMs = 1): number =>
  checkedDecay('decayOf', 'tau', tauMs, dtMs);
