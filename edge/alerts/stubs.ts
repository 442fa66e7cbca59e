import type { Env } from '../env.ts';
import type { Alerts } from './object.ts';
import { MAIN, type Remote } from '../storage/remote.ts';

/** One object evaluates all rules: an alert may inhibit any other. */
export function alertsOf(env: Env): Remote<Alerts> {
  return env.ALERTS.getByName<Alerts>(MAIN);
}
