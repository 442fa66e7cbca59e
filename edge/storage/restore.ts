import type { KeptEnd, RestoredObject, Staged, StagedRows } from '../backup/contract/backup.ts';
import { addRows, NO_ROWS } from '../http/rows-digest.ts';
import { listed, quoted, read } from './exported-tables.ts';
import { migrate } from './migrate.ts';

/** The staged rows of a restore, and its progress. */
const STAGING = `
  CREATE TABLE IF NOT EXISTS backup_staged (page INTEGER NOT NULL, row TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS backup_staging (digest TEXT NOT NULL, pages INTEGER NOT NULL, sum TEXT NOT NULL);`;

interface RestoreOptions {
  readonly storage: DurableObjectStorage;
  readonly migrations: readonly string[];
  /** Tables that are not backed up: they stay as they are. */
  readonly leftOut: readonly string[];
  /** How many rows a table may hold in an object that counts as empty. */
  readonly mayHold: Readonly<Record<string, number>>;
  /** Derives the state that follows from the rows and is not stored in them. */
  readonly derive: () => void;
}

export type StageResult =
  | { readonly kind: 'staged'; readonly staged: Staged }
  | { readonly kind: 'not-empty'; readonly table: string; readonly rows: number }
  | { readonly kind: 'other-page'; readonly expected: number };

export type CommitResult =
  | Exclude<StageResult, { readonly kind: 'staged' }>
  | { readonly kind: 'restored'; readonly rows: number }
  | { readonly kind: 'other-rows' }
  | { readonly kind: 'newer'; readonly known: number };

/**
 * Restores the rows of a backup into an empty object. They are staged in a table page by page, and replace
 * the object's rows in one transaction: through the schema they were written with, and every migration
 * since.
 */
export class ObjectRestore {
  readonly #options: RestoreOptions;

  constructor(options: RestoreOptions) {
    this.#options = options;
  }

  /** Whether the object has been restored from these rows. */
  isRestored(digest: string): boolean {
    return this.#restored() === digest;
  }

  stage({ digest, page, rows }: Omit<StagedRows, 'object'>): StageResult {
    return this.#options.storage.transactionSync(() => {
      const { sql } = this.#options.storage;
      if (this.isRestored(digest)) {
        return { kind: 'staged', staged: { status: 'restored', next_page: page } };
      }
      const full = this.#fullTable();
      if (full) return { kind: 'not-empty', ...full };
      sql.exec(STAGING);
      if (page === 0) this.#stageAnew(digest);
      const staged = this.#staged(digest);
      if (page > staged.pages) return { kind: 'other-page', expected: staged.pages };
      // A page arrived again because its response was lost.
      if (page < staged.pages) {
        return { kind: 'staged', staged: { status: 'staged', next_page: staged.pages } };
      }
      for (const row of rows) sql.exec('INSERT INTO backup_staged VALUES (?, ?)', page, row);
      const sum = addRows(staged.sum, rows);
      sql.exec('UPDATE backup_staging SET pages = ?, sum = ?', page + 1, sum);
      return { kind: 'staged', staged: { status: 'staged', next_page: page + 1 } };
    });
  }

  async commit({
    digest,
    pages,
    form,
    end,
  }: Omit<RestoredObject, 'object'>): Promise<CommitResult> {
    const { storage, migrations } = this.#options;
    const rows = Object.values(end.rows).reduce((sum, count) => sum + count, 0);
    if (this.isRestored(digest)) return { kind: 'restored', rows };
    if (form.schema > migrations.length) return { kind: 'newer', known: migrations.length };
    const full = this.#fullTable();
    if (full) return { kind: 'not-empty', ...full };
    storage.sql.exec(STAGING);
    const staged = this.#staged(digest);
    if (staged.pages !== pages) return { kind: 'other-page', expected: staged.pages };
    if (staged.sum !== digest) return { kind: 'other-rows' };
    storage.transactionSync(() => this.#replace({ digest, form, end }));
    if (end.alarm === null) await storage.deleteAlarm();
    else await storage.setAlarm(end.alarm);
    await storage.sync();
    return { kind: 'restored', rows };
  }

  #replace({ digest, form, end }: Pick<RestoredObject, 'digest' | 'form' | 'end'>): void {
    const { storage, migrations, leftOut, derive } = this.#options;
    const { sql } = storage;
    const retained = leftOut.map((name) => [name, this.#rowsOf(name)] as const);
    this.#dropAll();
    migrate(storage, migrations.slice(0, form.schema));
    this.#fill(form.tables, end);
    migrate(storage, migrations);
    for (const [name, rows] of retained) {
      sql.exec(`DELETE FROM ${quoted(name)}`);
      for (const row of rows) this.#insert(name, Object.keys(row), Object.values(row));
    }
    derive();
    // Overwritten before they are dropped, as SQLite leaves deleted bytes in the file: encryption
    // keys are among them.
    sql.exec('UPDATE backup_staged SET row = CAST(zeroblob(length(CAST(row AS BLOB))) AS TEXT)');
    sql.exec('DROP TABLE backup_staged; DROP TABLE backup_staging');
    sql.exec(
      'DROP TABLE IF EXISTS backup_restored; CREATE TABLE backup_restored (digest TEXT NOT NULL)',
    );
    sql.exec('INSERT INTO backup_restored VALUES (?)', digest);
  }

  #fill(tables: RestoredObject['form']['tables'], end: KeptEnd): void {
    const { sql } = this.#options.storage;
    // The rows that migrations insert are in the backup as well.
    for (const name of Object.keys(tables)) sql.exec(`DELETE FROM ${quoted(name)}`);
    for (const [row] of sql.exec('SELECT row FROM backup_staged ORDER BY rowid').raw()) {
      const [name, values] = JSON.parse(String(row)) as [string, unknown[]];
      this.#insert(name, tables[name]?.columns ?? [], values.map(read));
    }
    for (const [name, expected] of Object.entries(end.rows)) {
      const rows = this.#count(name);
      if (rows !== expected) throw new Error(`${name} has ${rows} rows, expected ${expected}`);
    }
    for (const [name, seq] of Object.entries(end.sequences)) {
      sql.exec('DELETE FROM sqlite_sequence WHERE name = ?', name);
      sql.exec('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', name, seq);
    }
  }

  #insert(name: string, columns: readonly string[], values: readonly SqlStorageValue[]): void {
    const places = values.map(() => '?').join(', ');
    this.#options.storage.sql.exec(
      `INSERT INTO ${quoted(name)} (${listed(columns)}) VALUES (${places})`,
      ...values,
    );
  }

  #dropAll(): void {
    const { sql } = this.#options.storage;
    const tables = sql
      .exec<{ name: string }>(
        `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')
          ORDER BY type DESC`,
      )
      .toArray();
    for (const { name } of tables) {
      if (!/^(?:sqlite_|_cf_|backup_)/.test(name)) sql.exec(`DROP TABLE ${quoted(name)}`);
    }
  }

  /** A table that holds more than an object has that is new. */
  #fullTable(): { readonly table: string; readonly rows: number } | undefined {
    const { mayHold } = this.#options;
    return Object.keys(mayHold)
      .map((table) => ({ table, rows: this.#count(table) }))
      .find(({ table, rows }) => rows > (mayHold[table] ?? 0));
  }

  /** The staged state of these rows. */
  #staged(digest: string): { readonly pages: number; readonly sum: string } {
    const { sql } = this.#options.storage;
    const [found] = sql
      .exec<{ digest: string; pages: number; sum: string }>('SELECT * FROM backup_staging')
      .toArray();
    return found?.digest === digest ? found : { pages: 0, sum: NO_ROWS };
  }

  #stageAnew(digest: string): void {
    const { sql } = this.#options.storage;
    sql.exec('DELETE FROM backup_staged');
    sql.exec('DELETE FROM backup_staging');
    sql.exec('INSERT INTO backup_staging VALUES (?, 0, ?)', digest, NO_ROWS);
  }

  /** The digest of the rows that this object was restored from. */
  #restored(): string | undefined {
    const { sql } = this.#options.storage;
    if (!this.#hasTable('backup_restored')) return undefined;
    return sql.exec<{ digest: string }>('SELECT digest FROM backup_restored').toArray()[0]?.digest;
  }

  #hasTable(name: string): boolean {
    const { sql } = this.#options.storage;
    return sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', name).toArray().length > 0;
  }

  #count(name: string): number {
    const { sql } = this.#options.storage;
    return sql.exec<{ rows: number }>(`SELECT count(*) AS rows FROM ${quoted(name)}`).one().rows;
  }

  #rowsOf(name: string): readonly Record<string, SqlStorageValue>[] {
    return this.#options.storage.sql.exec(`SELECT * FROM ${quoted(name)}`).toArray();
  }
}
