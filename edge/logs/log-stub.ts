import type { Env } from '../env.ts';
import type { LogHub } from './object.ts';
import { MAIN, type Remote } from '../storage/remote.ts';

/** One object holds the log of the whole platform: its numbers are one order. */
export function logsOf({ LOG_HUB }: Pick<Env, 'LOG_HUB'>): Remote<LogHub> {
  return LOG_HUB.getByName<LogHub>(MAIN);
}

/** Asks the same object for a WebSocket. */
export const logSocketsOf = ({ LOG_HUB }: Pick<Env, 'LOG_HUB'>): Pick<Fetcher, 'fetch'> =>
  LOG_HUB.getByName(MAIN);
