import type { Env } from '../env.ts';
import type { LogHub } from './object.ts';
import type { Remote } from '../storage/remote.ts';

export type LogCalls = Remote<
  Pick<LogHub, 'events' | 'followEvents' | 'metrics' | 'publish' | 'search' | 'state' | 'tell'>
>;

/** One object holds the log of the whole platform: its numbers are one order. */
export function logsOf({ LOG_HUB }: Pick<Env, 'LOG_HUB'>): LogCalls {
  return LOG_HUB.getByName('main') as unknown as LogCalls;
}

/** Asks the same object for a WebSocket. */
export const logSocketsOf = ({ LOG_HUB }: Pick<Env, 'LOG_HUB'>): Pick<Fetcher, 'fetch'> =>
  LOG_HUB.getByName('main');
