import type { LogFilter } from './contract/log-filter.ts';
import type { LogStreamQuery } from './contract/log-query.ts';
import type { Caller } from '../http/caller.ts';
import { teamSeen } from '../http/ownership.ts';

/** Hands the query of a connection from the gateway to the hub, parsed. */
const LOG_QUERY = 'x-spikegrid-log-query';

export const streamQueryIn = (headers: Headers): LogStreamQuery =>
  JSON.parse(decodeURIComponent(headers.get(LOG_QUERY) ?? '{}'));

export function writeStreamQuery(headers: Headers, query: LogStreamQuery): void {
  // The ticket was used up.
  const { ticket: _ticket, ...rest } = query;
  headers.set(LOG_QUERY, encodeURIComponent(JSON.stringify(rest)));
}

/** Where a connection begins: after this message. */
export function startOf(
  { since_seq: since, stream_id: stream, tail = 0 }: LogStreamQuery,
  { streamId, last }: { readonly streamId: string; readonly last: number },
): number {
  if (since === undefined) return Math.max(0, last - tail);
  return stream === undefined || stream === streamId ? Math.min(since, last) : 0;
}

/** What a connection is sent: what its query asks for, of what its caller's team may see. */
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
