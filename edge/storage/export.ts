import type { KeptEnd, KeptForm, ObjectPage } from '../backup/contract/backup.ts';
import { ulid } from '../http/ulid.ts';
import { formOf, listed, quoted, written } from './exported-tables.ts';

/** A page ends with the row that reaches one of these limits. */
const PAGE = { rows: 1_000, characters: 1024 * 1024 };
/** A reader that requests no page for this long has gone away. */
const PATIENCE_MS = 60_000;

/**
 * The keys of rows that changed since they were read; keys alone, so that no deleted content is retained.
 */
const CHANGES = `CREATE TABLE backup_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  tbl TEXT NOT NULL,
  key TEXT NOT NULL
);`;

type Place =
  /** Rows of a table after a key. */
  | { readonly table: number; readonly after: readonly SqlStorageValue[] | undefined }
  /** Rows that changed meanwhile, up to which the reader has them. */
  | { readonly seen: number };

interface Run {
  readonly id: string;
  readonly form: KeptForm;
  page: number;
  at: Place;
  next: Place | undefined;
}

/** `anew`: the reader has to start over, as the object did or another reader began. */
export type Read = { readonly kind: 'page'; readonly page: ObjectPage } | { readonly kind: 'anew' };

/**
 * Reads all rows of an object as of one moment, in pages, while the object continues to work.
 *
 * Triggers record the key of every row written after the first page. When the tables have been read, those
 * rows are read again, until so few remain that one page holds them: that page is read synchronously,
 * which makes the whole export consistent as of then. Nothing is copied and nothing blocks.
 */
export class ObjectExport {
  readonly #storage: DurableObjectStorage;
  readonly #leftOut: readonly string[];
  #run: Run | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(storage: DurableObjectStorage, leftOut: readonly string[]) {
    this.#storage = storage;
    this.#leftOut = leftOut;
    // An object that restarts has lost the position of its reader.
    this.#stop();
  }

  async page(cursor: string | undefined): Promise<Read> {
    const run = cursor === undefined ? this.#begin() : this.#goOn(cursor);
    if (!run) return { kind: 'anew' };
    clearTimeout(this.#timer ?? null);
    this.#timer = setTimeout(() => this.#stop(), PATIENCE_MS);
    // Before the rows, which are read in one turn: an alarm that is set later notes its rows.
    const alarm = await this.#storage.getAlarm();
    if (run !== this.#run) return { kind: 'anew' };
    const { rows, gone, next, end } = this.#storage.transactionSync(() => this.#read(run, alarm));
    run.next = next;
    const next_cursor = next ? `${run.id}.${run.page + 1}` : null;
    return {
      kind: 'page',
      page: {
        form: cursor === undefined ? run.form : null,
        changed: 'seen' in run.at,
        rows,
        gone,
        next_cursor,
        end,
      },
    };
  }

  #begin(): Run {
    this.#stop();
    const form = formOf(this.#storage.sql, this.#leftOut);
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec(CHANGES);
      for (const [name, { key }] of Object.entries(form.tables)) this.#watch(name, key);
    });
    const at = { table: 0, after: undefined };
    return (this.#run = { id: ulid(), form, page: 0, at, next: undefined });
  }

  /** The page after the last one, or that one again where its answer was lost. */
  #goOn(cursor: string): Run | undefined {
    const [id, page] = cursor.split('.');
    const run = this.#run;
    if (!run || run.id !== id) return undefined;
    if (Number(page) === run.page + 1 && run.next) {
      run.at = run.next;
      run.page += 1;
    }
    return Number(page) === run.page ? run : undefined;
  }

  #watch(table: string, key: readonly string[]): void {
    const noted = (row: string) =>
      `INSERT INTO backup_changes (tbl, key) VALUES (${text(table)}, ${keyJson(key, row)});`;
    const rowsByEvent = { INSERT: ['new'], UPDATE: ['old', 'new'], DELETE: ['old'] };
    for (const [event, rows] of Object.entries(rowsByEvent)) {
      this.#storage.sql.exec(
        `CREATE TRIGGER ${quoted(`backup_${table}_${event}`)} AFTER ${event} ON ${quoted(table)}
          BEGIN ${rows.map(noted).join(' ')} END`,
      );
    }
  }

  #read(run: Run, alarm: number | null) {
    const { form, at } = run;
    return 'table' in at ? this.#rowsOf(form, at) : this.#changes(form, at.seen, alarm);
  }

  #rowsOf(form: KeptForm, { table, after }: Extract<Place, { table: number }>) {
    const rows: string[] = [];
    const found = Object.entries(form.tables)[table];
    if (!found) return { rows, gone: [], next: { seen: 0 }, end: null };
    const [name, { columns, key }] = found;
    const from = after ? `WHERE (${listed(key)}) > (${key.map(() => '?').join(', ')})` : '';
    const cursor = this.#storage.sql
      .exec(
        `SELECT ${listed(columns)} FROM ${quoted(name)} ${from} ORDER BY ${listed(key)} LIMIT ?`,
        ...(after ?? []),
        PAGE.rows,
      )
      .raw();
    let size = 0;
    for (const values of cursor) {
      const row = rowText(name, values);
      rows.push(row);
      size += row.length;
      if (size < PAGE.characters && rows.length < PAGE.rows) continue;
      const last = key.map((one) => values[columns.indexOf(one)] ?? null);
      return { rows, gone: [], next: { table, after: last }, end: null };
    }
    return { rows, gone: [], next: { table: table + 1, after: undefined }, end: null };
  }

  #changes(form: KeptForm, seen: number, alarm: number | null) {
    const { sql } = this.#storage;
    sql.exec('DELETE FROM backup_changes WHERE seq <= ?', seen);
    const rows = new Map<string, string>();
    const gone = new Map<string, string>();
    const changes = sql
      .exec<{ seq: number; tbl: string; key: string }>(
        'SELECT seq, tbl, key FROM backup_changes ORDER BY seq LIMIT ?',
        PAGE.rows,
      )
      .toArray();
    let last = seen;
    let size = 0;
    for (const { seq, tbl, key } of changes) {
      if (size >= PAGE.characters) break;
      const values = (JSON.parse(key) as readonly (number | string | null)[]).map(keyValue);
      const name = rowText(tbl, values);
      const row = this.#rowAt(form, tbl, values);
      if (row === undefined) gone.set(name, name);
      else rows.set(name, row);
      size += (row ?? name).length;
      last = seq;
    }
    const answer = { rows: [...rows.values()], gone: [...gone.values()] };
    const isAll = changes.length < PAGE.rows && last === (changes.at(-1)?.seq ?? seen);
    if (!isAll) return { ...answer, next: { seen: last }, end: null };
    const end = this.#end(form, alarm);
    this.#stop();
    return { ...answer, next: undefined, end };
  }

  #rowAt({ tables }: KeptForm, name: string, values: readonly SqlStorageValue[]) {
    const { columns = [], key = [] } = tables[name] ?? {};
    const same = key.map((column) => `${quoted(column)} IS ?`).join(' AND ');
    const [row] = this.#storage.sql
      .exec(`SELECT ${listed(columns)} FROM ${quoted(name)} WHERE ${same}`, ...values)
      .raw();
    return row && rowText(name, row);
  }

  #end({ tables }: KeptForm, alarm: number | null): KeptEnd {
    const { sql } = this.#storage;
    const counts = Object.keys(tables).map((name) => {
      const { rows } = sql
        .exec<{ rows: number }>(`SELECT count(*) AS rows FROM ${quoted(name)}`)
        .one();
      return [name, rows] as const;
    });
    const sequences = sql
      .exec<{ name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence')
      .toArray()
      .filter(({ name }) => Object.hasOwn(tables, name));
    return {
      alarm,
      sequences: Object.fromEntries(sequences.map(({ name, seq }) => [name, seq])),
      rows: Object.fromEntries(counts),
    };
  }

  #stop(): void {
    clearTimeout(this.#timer ?? null);
    this.#run = undefined;
    const { sql } = this.#storage;
    const left = sql
      .exec<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'backup_*'`,
      )
      .toArray();
    for (const { name } of left) sql.exec(`DROP TRIGGER ${quoted(name)}`);
    sql.exec('DROP TABLE IF EXISTS backup_changes');
  }
}

const rowText = (table: string, values: readonly SqlStorageValue[]): string =>
  JSON.stringify([table, values.map(written)]);

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** The key of a row as JSON, made by SQL; a letter distinguishes text from bytes (as hex digits). */
const keyJson = (key: readonly string[], row: string): string => {
  const values = key.map((column) => {
    const value = `${row}.${quoted(column)}`;
    return `CASE typeof(${value}) WHEN 'blob' THEN 'x' || hex(${value})
      WHEN 'text' THEN 't' || ${value} ELSE ${value} END`;
  });
  return `json_array(${values.join(', ')})`;
};

function keyValue(value: number | string | null): SqlStorageValue {
  if (typeof value !== 'string') return value;
  if (value.startsWith('t')) return value.slice(1);
  return Uint8Array.from(value.slice(1).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    .buffer;
}
