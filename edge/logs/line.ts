import type { NewEvent, PlatformEvent } from '../events/contract/platform-event.ts';
import type { Ownership } from '../http/ownership.ts';
import { type LogFilter, matchesFilter } from './contract/log-filter.ts';
import type { LogMessage, NewLogMessage } from './contract/log-message.ts';
import { ulid } from '../http/ulid.ts';

/** An entry in the common sequence of the hub. */
export type LogEntry = LogMessage | PlatformEvent;

/** A message or an event, serialised once for all clients. */
export interface Line {
  readonly log: LogEntry;
  /** Its JSON, and the size of that in UTF-8. */
  readonly text: string;
  readonly bytes: number;
}

/** A message without a number: published here, or received from another platform. */
export type Unnumbered = Omit<LogMessage, 'seq'>;

const encoder = new TextEncoder();

/** A publisher: the default source of its messages, and their owner. */
export interface Publisher extends Ownership {
  readonly source: string;
}

/** Completes a published message with defaults. */
export function messageOf(
  said: NewLogMessage,
  { source, owner, team }: Publisher,
  now: number,
): Unnumbered {
  return {
    type: 'log',
    id: `log_${ulid(now)}`,
    timestamp: said.timestamp ?? new Date(now).toISOString(),
    level: said.level,
    source: said.source ?? source,
    module_type: said.module_type ?? null,
    event: said.event ?? null,
    message: said.message,
    data: said.data ?? null,
    trace_id: said.trace_id ?? null,
    owner,
    team,
  };
}

export function lineOf({ type, id, ...rest }: Unnumbered | NewEvent, seq: number): Line {
  // The rest belongs to the type, which destructuring a union loses.
  const log = { type, id, seq, ...rest } as LogEntry;
  const text = JSON.stringify(log);
  return { log, text, bytes: encoder.encode(text).byteLength };
}

export const matches = ({ log }: Line, filter: LogFilter): boolean =>
  log.type === 'log'
    ? matchesFilter(log, filter)
    : filter.events !== undefined && filter.events.includes(log.type) && isSeen(log, filter);

const isSeen = ({ team }: PlatformEvent, filter: LogFilter): boolean =>
  filter.team === undefined || team === null || team === filter.team;
