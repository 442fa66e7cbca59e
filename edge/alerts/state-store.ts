import { OUTBOX_TABLE } from '../events/outbox.ts';
import { allOf, type Condition, type Page, TableStore } from '../storage/table-store.ts';
import type { HistoryQuery, Transition } from './contract/alert.ts';
import type { Silence, SilenceQuery, SilenceState } from './contract/alert-silence.ts';
import type { StoredAlert } from './stored-alert.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const ALERTS_MIGRATIONS: readonly string[] = [
  `CREATE TABLE rules (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     rule TEXT NOT NULL,
     last_error TEXT
   ) WITHOUT ROWID;
   CREATE TABLE alerts (
     rule_id TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     phase TEXT NOT NULL,
     ends_at INTEGER,
     alert TEXT NOT NULL,
     PRIMARY KEY (rule_id, fingerprint)
   ) WITHOUT ROWID;
   CREATE TABLE transitions (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     at INTEGER NOT NULL,
     rule_id TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     entered TEXT NOT NULL,
     transition TEXT NOT NULL
   );
   CREATE INDEX transitions_by_time ON transitions (at);
   CREATE TABLE silences (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     starts_at INTEGER NOT NULL,
     ends_at INTEGER NOT NULL,
     silence TEXT NOT NULL
   );
   CREATE TABLE receivers (
     id TEXT PRIMARY KEY,
     receiver TEXT NOT NULL,
     secret TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE notify_groups (
     receiver_id TEXT NOT NULL,
     labels TEXT NOT NULL,
     notify_group TEXT NOT NULL,
     PRIMARY KEY (receiver_id, labels)
   ) WITHOUT ROWID;
   CREATE TABLE deliveries (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     receiver_id TEXT NOT NULL,
     labels TEXT NOT NULL,
     kind TEXT NOT NULL,
     alerts INTEGER NOT NULL,
     body TEXT NOT NULL,
     status TEXT NOT NULL,
     attempts INTEGER NOT NULL DEFAULT 0,
     created_at INTEGER NOT NULL,
     last_attempt_at INTEGER,
     next_attempt_at INTEGER,
     http_status INTEGER,
     error TEXT
   );
   CREATE INDEX deliveries_by_receiver ON deliveries (receiver_id, seq);
   CREATE INDEX deliveries_waiting ON deliveries (next_attempt_at) WHERE status = 'waiting';
   CREATE TABLE evaluations (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     at INTEGER,
     has_default_rules INTEGER NOT NULL DEFAULT 0
   );
   INSERT INTO evaluations (id) VALUES (1);`,
  OUTBOX_TABLE,
];

/** A silence as it is stored: its state follows from the time. */
export type StoredSilence = Omit<Silence, 'state'>;

/** Transitions that are retained. */
const MAX_TRANSITIONS = 10_000;

/** The tables of alerts, their history, and silences. */
export class AlertStateStore extends TableStore {
  alerts(): readonly StoredAlert[] {
    return this.#parsed('SELECT alert AS item FROM alerts');
  }

  alertsOf(ruleId: string): readonly StoredAlert[] {
    return this.#parsed('SELECT alert AS item FROM alerts WHERE rule_id = ?', ruleId);
  }

  putAlert(stored: StoredAlert): void {
    const { record, facts } = stored;
    this.replace('alerts', {
      rule_id: facts.ruleId,
      fingerprint: record.fingerprint,
      phase: record.phase,
      ends_at: record.phase === 'resolved' ? record.endsAt : null,
      alert: JSON.stringify(stored),
    });
  }

  removeAlert(ruleId: string, fingerprint: string): void {
    this.run`DELETE FROM alerts WHERE rule_id = ${ruleId} AND fingerprint = ${fingerprint}`;
  }

  forgetResolved(before: number): void {
    this.run`DELETE FROM alerts WHERE phase = 'resolved' AND ends_at < ${before}`;
  }

  addTransition(transition: Transition): void {
    const { at, rule_id, fingerprint, to } = transition;
    const seq = this.value<number>`
      INSERT INTO transitions (at, rule_id, fingerprint, entered, transition)
      VALUES (${Date.parse(at)}, ${rule_id}, ${fingerprint}, ${to}, ${JSON.stringify(transition)})
      RETURNING seq`;
    this.run`DELETE FROM transitions WHERE seq <= ${seq - MAX_TRANSITIONS}`;
  }

  forgetTransitions(before: number): void {
    this.run`DELETE FROM transitions WHERE at < ${before}`;
  }

  /** A page of history, the latest first; `start` is the `next` of the page before. */
  transitions(query: Omit<HistoryQuery, 'cursor'>, start: number): Page<Transition> {
    const { from, to, limit } = query;
    const condition = allOf(
      ['at >= ?', from === undefined ? undefined : Date.parse(from)],
      ['at <= ?', to === undefined ? undefined : Date.parse(to)],
      ['rule_id = ?', query.rule_id],
      ['fingerprint = ?', query.fingerprint],
      ['entered = ?', query.state],
    );
    return this.#list('transition', condition, { limit, start });
  }

  /** A page of silences, the latest created first. */
  silences(
    { state, limit }: Omit<SilenceQuery, 'cursor'>,
    start: number,
    now: number,
  ): Page<StoredSilence> {
    return this.#list('silence', silencesIn(state, now), { limit, start });
  }

  activeSilences(now: number): readonly StoredSilence[] {
    const { where, values } = silencesIn('active', now);
    return this.#parsed(
      `SELECT silence AS item FROM silences WHERE ${where} ORDER BY seq`,
      ...values,
    );
  }

  silence(id: string): StoredSilence | undefined {
    return this.#parsed<StoredSilence>('SELECT silence AS item FROM silences WHERE id = ?', id)[0];
  }

  countSilences(): number {
    return this.value('SELECT count(*) FROM silences');
  }

  addSilence(silence: StoredSilence): void {
    this.insert('silences', {
      id: silence.id,
      starts_at: Date.parse(silence.starts_at),
      ends_at: Date.parse(silence.ends_at),
      silence: JSON.stringify(silence),
    });
  }

  replaceSilence(silence: StoredSilence): void {
    const { id, starts_at, ends_at } = silence;
    this.run`UPDATE silences
      SET starts_at = ${Date.parse(starts_at)}, ends_at = ${Date.parse(ends_at)},
        silence = ${JSON.stringify(silence)}
      WHERE id = ${id}`;
  }

  forgetSilences(before: number): void {
    this.run`DELETE FROM silences WHERE ends_at < ${before}`;
  }

  /** A page of the table of transitions or of silences, whose column of JSON is named like an item. */
  #list<T>(
    item: 'transition' | 'silence',
    condition: Condition,
    { limit, start }: { readonly limit: number; readonly start: number },
  ): Page<T> {
    const selection = { columns: `${item} AS item`, table: `${item}s`, ...condition };
    const { items, ...page } = this.pageOf<{ item: string }>(selection, { limit, start });
    return { ...page, items: items.map((row) => JSON.parse(row.item)) };
  }

  #parsed<T>(query: string, ...values: readonly SqlStorageValue[]): readonly T[] {
    return this.rows<{ item: string }>(query, ...values).map(({ item }) => JSON.parse(item));
  }
}

function silencesIn(state: SilenceState | undefined, now: number): Condition {
  switch (state) {
    case undefined:
      return allOf();
    case 'pending':
      return allOf(['starts_at > ?', now]);
    case 'active':
      return allOf(['starts_at <= ?', now], ['ends_at > ?', now]);
    default:
      return allOf(['ends_at <= ?', now]);
  }
}

/** A silence with its state at a time. */
export const silenceOf = (silence: StoredSilence, now: number): Silence => ({
  ...silence,
  state: stateAt(silence, now),
});

export function stateAt({ starts_at, ends_at }: StoredSilence, now: number): SilenceState {
  if (Date.parse(ends_at) <= now) return 'expired';
  return Date.parse(starts_at) > now ? 'pending' : 'active';
}
