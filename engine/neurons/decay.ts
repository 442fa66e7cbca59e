import { EngineError } from '../errors.ts';

/** Fraction of a leaking quantity that is left after one step, `exp(-dt / tau)`; both in milliseconds. */
export function decayOf(tauMs: number, dtMs = 1): number {
  if (!(tauMs > 0 && Number.isFinite(tauMs))) {
    throw new EngineError('invalid-setting', `tau is ${tauMs} ms: expected a positive number`);
  }
  if (!(dtMs > 0 && Number.isFinite(dtMs))) {
    throw new EngineError('invalid-setting', `dt is ${dtMs} ms: expected a positive number`);
  }
  return Math.exp(-dtMs / tauMs);
}
