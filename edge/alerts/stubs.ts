import type { Env } from '../env.ts';
import type { Alerts } from './object.ts';
import type { Remote } from '../storage/remote.ts';

/** One object evaluates all rules: an alert may inhibit any other. */
export function alertsOf(env: Env): Remote<Alerts> {
  // The runtime's own type of a stub loses what is read-only.
  return env.ALERTS.getByName('main') as unknown as Remote<Alerts>;
}
