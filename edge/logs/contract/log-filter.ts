import type { EventType } from '../../events/contract/platform-event.ts';
import type { LogLevel, LogMessage } from './log-message.ts';

/** Conditions on messages; those left out do not apply. */
export interface LogFilter {
  /** This level and above. */
  readonly level?: LogLevel | undefined;
  readonly source?: readonly string[] | undefined;
  readonly module_type?: readonly string[] | undefined;
  /** The types of events to include besides messages; none by default. */
  readonly events?: readonly EventType[] | undefined;
  /** Only what this team may see: its messages, its events, and those of the platform. */
  readonly team?: string | undefined;
}

const RANKS: Readonly<Record<LogLevel, number>> = {
  debug: 0,
  info: 1,
  warn: 2,
  error: 3,
  critical: 4,
};

/** From 0 for debug to 4 for critical. */
export const rankOf = (level: LogLevel): number => RANKS[level];

export function matchesFilter(
  log: Pick<LogMessage, 'level' | 'source' | 'module_type' | 'team'>,
  { level, source, module_type: types, team }: LogFilter,
): boolean {
  if (team !== undefined && log.team !== team) return false;
  if (level !== undefined && RANKS[log.level] < RANKS[level]) return false;
  if (source && !source.includes(log.source)) return false;
  return !types || (log.module_type !== null && types.includes(log.module_type));
}
