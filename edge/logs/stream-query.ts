import type { LogFilter } from './contract/log-filter.ts';
import type { LogStreamQuery } from './contract/log-query.ts';
import type { Caller } from '../http/caller.ts';
import { teamSeen } from '../http/ownership.ts';

/** Carries the parsed query of a connection from the gateway to the hub. */
const LOG_QUERY = 'x-spikegrid-log-query';

export const streamQueryIn = (headers: Headers): LogStreamQuery =>
  JSON.parse(decodeURIComponent(headers.get(LOG_QUERY) ?? '{}'));

export function writeStreamQuery(headers: Headers, query: LogStreamQuery): void {
  // The ticket is used up.
  const { ticket: _ticket, ...rest } = query;
  headers.set(LOG_QUERY, encodeURIComponent(JSON.stringify(rest)));
}

/** The position after which a connection starts. */
export function startOf(
  { since_seq: since, stream_id: stream, tail = 0 }: LogStreamQuery,
  { streamId, last }: { readonly streamId: string; readonly last: number },
): number {
  if (since === undefined) return Math.max(0, last - tail);
  return stream === undefined || stream === streamId ? Math.min(since, last) : 0;
}

/** The filter of a connection: its query, limited to what its caller's team may see. */
export const filterOf = (
  { level, source, module_type, events }: LogStreamQuery,
  caller: Caller,
): LogFilter => ({
  team: teamSeen(caller),
  level,
  source,
  module_type,
  events,
});
