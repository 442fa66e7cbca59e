import type { HistoryQuery, Transition } from './contract/alert-history.ts';
import type { Silence, SilenceQuery, SilenceState } from './contract/alert-silence.ts';
import type { KeptAlert } from './kept-alert.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;

/** A silence as it is kept: its state follows from the time. */
export type KeptSilence = Omit<Silence, 'state'>;

export interface StatePage<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** Where the next page starts, or undefined after the last one. */
  readonly next: number | undefined;
}

const HISTORY_KEPT = 10_000;

/** Alerts, what became of them, and silences. */
export class AlertStateStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  alerts(): readonly KeptAlert[] {
    return this.#alerts('SELECT alert FROM alerts');
  }

  alertsOf(ruleId: string): readonly KeptAlert[] {
    return this.#alerts('SELECT alert FROM alerts WHERE rule_id = ?', ruleId);
  }

  putAlert(kept: KeptAlert): void {
    const { record, facts } = kept;
    this.#sql.exec(
      'INSERT OR REPLACE INTO alerts VALUES (?, ?, ?, ?, ?)',
      facts.ruleId,
      record.fingerprint,
      record.phase,
      record.phase === 'resolved' ? record.endsAt : null,
      JSON.stringify(kept),
    );
  }

  removeAlert(ruleId: string, fingerprint: string): void {
    this.#sql.exec('DELETE FROM alerts WHERE rule_id = ? AND fingerprint = ?', ruleId, fingerprint);
  }

  forgetResolved(before: number): void {
    this.#sql.exec("DELETE FROM alerts WHERE phase = 'resolved' AND ends_at < ?", before);
  }

  addTransition(transition: Transition): void {
    const { seq } = this.#sql
      .exec<{ seq: number }>(
        `INSERT INTO transitions (at, rule_id, fingerprint, entered, transition)
         VALUES (?, ?, ?, ?, ?) RETURNING seq`,
        Date.parse(transition.at),
        transition.rule_id,
        transition.fingerprint,
        transition.to,
        JSON.stringify(transition),
      )
      .one();
    this.#sql.exec('DELETE FROM transitions WHERE seq <= ?', seq - HISTORY_KEPT);
  }

  forgetTransitions(before: number): void {
    this.#sql.exec('DELETE FROM transitions WHERE at < ?', before);
  }

  /** A page of history, the latest first; `before` is the `next` of the page before. */
  transitions(query: Omit<HistoryQuery, 'cursor'>, before: number): StatePage<Transition> {
    const { clauses, values } = historyFilters(query);
    const read = { table: 'transitions', column: 'transition', clauses, values };
    return this.#page(read, query.limit, before);
  }

  /** A page of silences, the latest made first. */
  silences(
    { state, limit }: Omit<SilenceQuery, 'cursor'>,
    before: number,
    now: number,
  ): StatePage<KeptSilence> {
    const { clause, values } = silenceFilter(state, now);
    const read = { table: 'silences', column: 'silence', clauses: [clause], values };
    return this.#page(read, limit, before);
  }

  activeSilences(now: number): readonly KeptSilence[] {
    return this.#silences(
      'SELECT silence FROM silences WHERE starts_at <= ? AND ends_at > ? ORDER BY seq',
      now,
      now,
    );
  }

  silence(id: string): KeptSilence | undefined {
    return this.#silences('SELECT silence FROM silences WHERE id = ?', id)[0];
  }

  countSilences(): number {
    return this.#sql.exec<{ total: number }>('SELECT count(*) AS total FROM silences').one().total;
  }

  addSilence(silence: KeptSilence): void {
    this.#sql.exec(
      'INSERT INTO silences (id, starts_at, ends_at, silence) VALUES (?, ?, ?, ?)',
      silence.id,
      Date.parse(silence.starts_at),
      Date.parse(silence.ends_at),
      JSON.stringify(silence),
    );
  }

  replaceSilence(silence: KeptSilence): void {
    this.#sql.exec(
      'UPDATE silences SET starts_at = ?, ends_at = ?, silence = ? WHERE id = ?',
      Date.parse(silence.starts_at),
      Date.parse(silence.ends_at),
      JSON.stringify(silence),
      silence.id,
    );
  }

  forgetSilences(before: number): void {
    this.#sql.exec('DELETE FROM silences WHERE ends_at < ?', before);
  }

  #page<T>(read: Read, limit: number, before: number): StatePage<T> {
    const from = `FROM ${read.table} WHERE ${read.clauses.join(' AND ')}`;
    const { total } = this.#sql
      .exec<{ total: number }>(`SELECT count(*) AS total ${from}`, ...read.values)
      .one();
    const rows = this.#sql
      .exec<Row<'seq' | 'item'>>(
        `SELECT seq, ${read.column} AS item ${from} AND seq < ? ORDER BY seq DESC LIMIT ?`,
        ...read.values,
        before,
        limit + 1,
      )
      .toArray();
    const shown = rows.slice(0, limit);
    return {
      items: shown.map(({ item }) => JSON.parse(String(item))),
      total,
      next: rows.length > shown.length ? Number(shown.at(-1)?.seq) : undefined,
    };
  }

  #alerts(query: string, ...values: readonly string[]): readonly KeptAlert[] {
    return this.#sql
      .exec<Row<'alert'>>(query, ...values)
      .toArray()
      .map(({ alert }) => JSON.parse(String(alert)));
  }

  #silences(query: string, ...values: readonly (string | number)[]): readonly KeptSilence[] {
    return this.#sql
      .exec<Row<'silence'>>(query, ...values)
      .toArray()
      .map(({ silence }) => JSON.parse(String(silence)));
  }
}

interface Read {
  readonly table: string;
  readonly column: string;
  readonly clauses: readonly string[];
  readonly values: readonly (string | number)[];
}

function historyFilters({ from, to, rule_id, fingerprint, state }: Omit<HistoryQuery, 'cursor'>) {
  const clauses = ['1 = 1'];
  const values: (string | number)[] = [];
  const add = (clause: string, value: string | number | undefined) => {
    if (value === undefined) return;
    clauses.push(clause);
    values.push(value);
  };
  add('at >= ?', from === undefined ? undefined : Date.parse(from));
  add('at <= ?', to === undefined ? undefined : Date.parse(to));
  add('rule_id = ?', rule_id);
  add('fingerprint = ?', fingerprint);
  add('entered = ?', state);
  return { clauses, values };
}

function silenceFilter(state: SilenceState | undefined, now: number) {
  switch (state) {
    case undefined:
      return { clause: '1 = 1', values: [] };
    case 'pending':
      return { clause: 'starts_at > ?', values: [now] };
    case 'active':
      return { clause: 'starts_at <= ? AND ends_at > ?', values: [now, now] };
    default:
      return { clause: 'ends_at <= ?', values: [now] };
  }
}

/** A silence as it is shown at a time. */
export const silenceOf = (silence: KeptSilence, now: number): Silence => ({
  ...silence,
  state: stateAt(silence, now),
});

export function stateAt({ starts_at, ends_at }: KeptSilence, now: number): SilenceState {
  if (Date.parse(ends_at) <= now) return 'expired';
  return Date.parse(starts_at) > now ? 'pending' : 'active';
}
