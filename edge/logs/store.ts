import { DEFAULT_TEAM } from '../contract/team.ts';
import { type EventType, teamOfEvent } from '../events/contract/platform-event.ts';
import { type LogFilter, rankOf } from './contract/log-filter.ts';
import type { LogMessage } from './contract/log-message.ts';
import type { LogQuery } from './contract/log-query.ts';
import type { Line, LogEntry } from './line.ts';
import { TableStore } from '../storage/table-store.ts';

/** The number of characters of a message that are indexed. */
const MAX_CHARACTERS = 4096;

/** Normalises width and case for the search. */
const normalised = (text: string): string => text.normalize('NFKC').toLowerCase();

/** The text a message is found by. */
function searchText({ message, event, source, trace_id, data }: LogMessage): string {
  const parts = [message, event, source, trace_id, data && JSON.stringify(data)];
  return normalised(parts.filter(Boolean).join('\n').slice(0, MAX_CHARACTERS));
}

/**
 * The number of characters in an entry of the trigram index; shorter texts are searched by
 * scanning.
 */
const TRIGRAM = 3;

/** The condition on `line_text` for a searched text. */
function textCondition(searched: string): { readonly sql: string; readonly value: string } {
  const text = normalised(searched);
  if (Array.from(text).length < TRIGRAM) return { sql: 'instr(text, ?) > 0', value: text };
  // As a quoted string, so that nothing in it is query syntax.
  return { sql: 'line_text MATCH ?', value: `"${text.replaceAll('"', '""')}"` };
}

/** The limits of stored messages; of older ones, only the numbers are known. */
export const LOG_RETENTION = {
  lines: 200_000,
  ms: 7 * 24 * 3600 * 1000,
  bytes: 512 * 1024 * 1024,
} as const;

/** A range of missing messages: never written, or possibly never published. */
export interface Hole {
  readonly from_seq: number;
  readonly to_seq: number;
  readonly dropped: number | null;
}

export interface LogPage {
  readonly logs: readonly LogMessage[];
  /** The start of the next page; undefined after the last. */
  readonly next: number | undefined;
}

export type SearchQuery = Omit<LogQuery, 'cursor'> & Pick<LogFilter, 'team'>;
interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** The SQL of the log. */
export class LogStore extends TableStore {
  meta(name: string): string | undefined {
    return this.row<{ value: string }>`SELECT value FROM meta WHERE name = ${name}`?.value;
  }

  setMeta(name: string, value: string): void {
    this.run`INSERT OR REPLACE INTO meta (name, value) VALUES (${name}, ${value})`;
  }

  /** The first and the last stored message. */
  ends(): { readonly first: number; readonly last: number } | undefined {
    const { first, last } = this.one<{ first: number | null; last: number | null }>(
      'SELECT (SELECT min(seq) FROM lines) AS first, (SELECT max(seq) FROM lines) AS last',
    );
    return first === null || last === null ? undefined : { first, last };
  }

  add({ log, text }: Line, now: number): void {
    const columns =
      log.type === 'log'
        ? [rankOf(log.level), log.source, log.module_type, log.trace_id, null]
        : [rankOf('info'), '', null, null, log.type];
    this.run(
      `INSERT INTO lines
         (seq, received_at, at, body, team, level, source, module_type, trace_id, event_type)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      log.seq,
      now,
      Date.parse(log.type === 'log' ? log.timestamp : log.time),
      text,
      log.team,
      ...columns,
    );
    // The search covers messages; events have filters of their own.
    if (log.type !== 'log') return;
    this.run`INSERT INTO line_text (rowid, text) VALUES (${log.seq}, ${searchText(log)})`;
  }

  /** Rebuilds the search index from the messages. */
  indexAll(): void {
    this.run('DELETE FROM line_text');
    const bodies = this.rows<{ body: string }>(
      'SELECT body FROM lines WHERE event_type IS NULL ORDER BY seq',
    );
    for (const { body } of bodies) {
      const log = JSON.parse(body) as LogMessage;
      this.run`INSERT INTO line_text (rowid, text) VALUES (${log.seq}, ${searchText(log)})`;
    }
  }

  addHole({ from_seq, to_seq, dropped }: Hole): void {
    this.run`INSERT OR REPLACE INTO holes (from_seq, to_seq, dropped)
      VALUES (${from_seq}, ${to_seq}, ${dropped})`;
  }

  /** The first gap that ends after a message. */
  holeAfter(seq: number): Hole | undefined {
    return this.row<{ from_seq: number; to_seq: number; dropped: number | null }>`
      SELECT from_seq, to_seq, dropped FROM holes WHERE to_seq > ${seq} ORDER BY from_seq LIMIT 1`;
  }

  /** Messages and events after one number and up to another, the earliest first. */
  between(after: number, upTo: number, filter: LogFilter, limit: number): readonly LogEntry[] {
    const messages = both([IS_MESSAGE, ...filterConditions(filter)]);
    const { sql, values } = both([
      { sql: 'seq > ?', values: [after] },
      { sql: 'seq <= ?', values: [upTo] },
      ...(filter.events ? [either(messages, eventsSeen(filter.events, filter))] : [messages]),
    ]);
    const rows = this.rows<{ body: string }>(
      `SELECT body FROM lines WHERE ${sql} ORDER BY seq LIMIT ?`,
      ...values,
      limit,
    );
    return rows.map(({ body }) => entryOf(body));
  }

  /** A page of search results, the latest first; `before` is the `next` of the previous page. */
  search({ limit, text, ...query }: SearchQuery, before: number): LogPage {
    const conditions = [
      IS_MESSAGE,
      ...filterConditions(query),
      ...valueCondition('trace_id =', query.trace_id),
      ...valueCondition('at >=', query.from && Date.parse(query.from)),
      ...valueCondition('at <', query.to && Date.parse(query.to)),
    ];
    const found = text === undefined ? undefined : textCondition(text);
    // The text index is read from its end, so the first hits are the latest.
    const [from, key] = found
      ? (['line_text JOIN lines ON lines.seq = line_text.rowid', 'line_text.rowid'] as const)
      : (['lines', 'seq'] as const);
    const { sql, values } = both([
      ...(found ? [{ sql: found.sql, values: [found.value] }] : []),
      { sql: `${key} < ?`, values: [before] },
      ...conditions,
    ]);
    const rows = this.rows<{ body: string }>(
      `SELECT body FROM ${from} WHERE ${sql} ORDER BY ${key} DESC LIMIT ?`,
      ...values,
      limit + 1,
    );
    const logs = rows.map(({ body }) => entryOf(body) as LogMessage);
    const next = logs.length > limit ? logs[limit - 1]?.seq : undefined;
    return { logs: logs.slice(0, limit), next };
  }

  /** Deletes what exceeds the limits of number, age or size. */
  trim(last: number, now: number): void {
    const old = this.value<number | null>`
      SELECT (SELECT seq FROM lines WHERE received_at >= ${now - LOG_RETENTION.ms}
        ORDER BY seq LIMIT 1) AS seq`;
    const ends = this.ends();
    if (!ends) return;
    const byRoom =
      this.sql.databaseSize > LOG_RETENTION.bytes
        ? ends.first + Math.ceil((ends.last - ends.first) / 10)
        : 0;
    const keepFrom = Math.max(old ?? ends.last + 1, last - LOG_RETENTION.lines + 1, byRoom);
    if (keepFrom <= ends.first) return;
    this.run`DELETE FROM lines WHERE seq < ${keepFrom}`;
    this.run`DELETE FROM line_text WHERE rowid < ${keepFrom}`;
    this.run`DELETE FROM holes WHERE to_seq < ${keepFrom}`;
  }
}

function filterConditions(filter: LogFilter): readonly Condition[] {
  const { level, source, module_type: types, team } = filter;
  return [
    ...valueCondition('lines.team =', team),
    ...valueCondition('level >=', level && rankOf(level)),
    ...listCondition('source', source),
    ...listCondition('module_type', types),
  ];
}

const valueCondition = (
  compared: string,
  value: string | number | undefined,
): readonly Condition[] => (value === undefined ? [] : [{ sql: `${compared} ?`, values: [value] }]);

const listCondition = (
  column: string,
  values: readonly string[] | undefined,
): readonly Condition[] =>
  values ? [{ sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }] : [];

const eventsSeen = (types: readonly EventType[], { team }: LogFilter): Condition =>
  both([
    ...listCondition('event_type', types),
    ...(team === undefined ? [] : [{ sql: '(team IS NULL OR team = ?)', values: [team] }]),
  ]);

/** Entries from before there were teams lack the team. */
function entryOf(body: string): LogEntry {
  const entry = JSON.parse(body) as LogEntry;
  if (entry.type !== 'log') return { ...entry, team: teamOfEvent(entry) };
  return { ...entry, owner: entry.owner ?? '', team: entry.team ?? DEFAULT_TEAM };
}

const IS_MESSAGE: Condition = { sql: 'event_type IS NULL', values: [] };

const either = (...conditions: readonly Condition[]): Condition => ({
  sql: `(${conditions.map(({ sql }) => `(${sql})`).join(' OR ')})`,
  values: conditions.flatMap(({ values }) => values),
});

const both = (conditions: readonly Condition[]): Condition => ({
  sql: conditions.map(({ sql }) => sql).join(' AND '),
  values: conditions.flatMap(({ values }) => values),
});
