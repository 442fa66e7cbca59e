import type { EventType } from '../../events/contract/platform-event.ts';
import type { LogLevel, LogMessage } from './log-message.ts';

/** Which messages somebody wants to see; what is left out is no condition. */
export interface LogFilter {
  /** This level and all that are worse. */
  readonly level?: LogLevel | undefined;
  readonly source?: readonly string[] | undefined;
  readonly module_type?: readonly string[] | undefined;
  /** Beside the messages, events of these types; none where it is left out. */
  readonly events?: readonly EventType[] | undefined;
  /** What this team may see: its messages, its events, and those of the platform. */
  readonly team?: string | undefined;
}

const RANKS: Readonly<Record<LogLevel, number>> = {
  debug: 0,
  info: 1,
  warn: 2,
  error: 3,
  critical: 4,
};

/** 0 for debug to 4 for critical. */
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
