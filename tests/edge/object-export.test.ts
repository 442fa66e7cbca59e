import { describe, expect, it } from 'vitest';
import type { KeptForm, ObjectPage } from '../../edge/backup/contract/backup.ts';
import { addRows, NO_ROWS } from '../../edge/http/rows-digest.ts';
import { NEWER_SCHEMA } from '../../edge/contract/refusal.ts';
import { migrate } from '../../edge/storage/migrate.ts';
import { ObjectExport } from '../../edge/storage/export.ts';
import { ObjectRestore } from '../../edge/storage/restore.ts';
import { openStorage, type TestStorage } from './sqlite.ts';

/** Tables of every kind: keys of one and of two columns, bytes, with and without row numbers. */
const FIRST = `
  CREATE TABLE jobs (seq INTEGER PRIMARY KEY AUTOINCREMENT, job_id TEXT NOT NULL UNIQUE, due REAL);
  CREATE TABLE parts (name TEXT NOT NULL, no INTEGER NOT NULL, body BLOB, PRIMARY KEY (name, no)) WITHOUT ROWID;
  CREATE TABLE tags (tag BLOB NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (tag, seq));
  CREATE TABLE secrets (id INTEGER PRIMARY KEY, secret TEXT);`;
const SECOND = `ALTER TABLE jobs ADD COLUMN team TEXT NOT NULL DEFAULT 'default'`;

const bytes = (...values: number[]) => Uint8Array.from(values);

function openTables(migrations = [FIRST], rows = 0) {
  const storage = openStorage();
  migrate(storage, migrations);
  for (let i = 0; i < rows; i++) {
    storage.sql.exec('INSERT INTO jobs (job_id, due) VALUES (?, ?)', `job ${i}`, i / 3);
    storage.sql.exec('INSERT INTO parts VALUES (?, ?, ?)', `p'"${i % 7}`, i, bytes(i, 0, 255));
    storage.sql.exec('INSERT INTO tags VALUES (?, ?)', bytes(i % 256, 39), i);
  }
  return storage;
}

const exporterOf = (storage: TestStorage) => new ObjectExport(storage, ['secrets']);

/** All rows as a client puts them together, calling `between` after each page but the last. */
async function readAll(exporter: ObjectExport, between: () => void = () => {}) {
  const rows = new Map<string, string>();
  let page: ObjectPage | undefined;
  let form: KeptForm | undefined;
  let pages = 0;
  do {
    const read = await exporter.page(page?.next_cursor ?? undefined);
    if (read.kind !== 'page') throw new Error('it has begun anew');
    page = read.page;
    form ??= page.form!;
    for (const row of page.rows) rows.set(keyOf(form, row), row);
    for (const gone of page.gone) rows.delete(gone);
    pages += 1;
    if (!page.end) between();
  } while (!page.end);
  return { rows: [...rows.values()].toSorted(), form: form!, end: page.end, pages };
}

function keyOf(form: KeptForm, row: string): string {
  const [table, values] = JSON.parse(row) as [string, unknown[]];
  const { columns, key } = form.tables[table]!;
  return JSON.stringify([table, key.map((column) => values[columns.indexOf(column)])]);
}

/** Numbers from 0 to below 1, the same on every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('the rows of an object that works on', () => {
  it.each([1, 2, 3, 4, 5])(
    'are those of one moment, with writes of seed %i between pages',
    async (seed) => {
      const storage = openTables([FIRST], 2_500);
      const random = randomOf(seed);
      const any = (most: number) => Math.floor(random() * most);
      const write = () => {
        for (let i = 0; i < 120; i++) {
          const n = any(2_600);
          const statements: readonly [string, ...(number | string | ArrayBuffer)[]][] = [
            ['UPDATE jobs SET due = ? WHERE seq = ?', random(), n],
            ['DELETE FROM jobs WHERE seq = ?', n],
            ['INSERT OR IGNORE INTO jobs (job_id) VALUES (?)', `job ${n}`],
            ['INSERT OR REPLACE INTO parts VALUES (?, ?, ?)', `p'"${n % 7}`, n, bytes(n).buffer],
            ['DELETE FROM parts WHERE no = ?', n],
            ['UPDATE tags SET seq = seq + 10000 WHERE seq = ?', n],
            ['DELETE FROM tags WHERE seq = ?', n],
          ];
          const [sql, ...values] = statements[any(statements.length)]!;
          storage.sql.exec(sql, ...values);
        }
      };

      const read = await readAll(exporterOf(storage), write);

      const now = await readAll(exporterOf(storage));
      expect(read.rows).toEqual(now.rows);
      expect(read.end).toEqual(now.end);
      expect(read.pages).toBeGreaterThan(8);
    },
  );

  it('are read as slowly as one likes: an object that is written to faster is read to its end', async () => {
    const storage = openTables([FIRST], 10);
    let left = 3;
    const read = await readAll(exporterOf(storage), () => {
      if (left-- > 0)
        for (let i = 0; i < 1_500; i++) storage.sql.exec('UPDATE jobs SET due = ?', i);
    });

    expect(read.end.rows).toMatchObject({ jobs: 10 });
  });

  it('come again where an answer was lost, and from the start where the object has ended', async () => {
    const storage = openTables([FIRST], 2_000);
    const exporter = exporterOf(storage);
    const first = await exporter.page(undefined);
    const cursor = first.kind === 'page' ? first.page.next_cursor! : '';

    const [second, again] = [await exporter.page(cursor), await exporter.page(cursor)];
    expect(again).toEqual(second);
    expect(await exporterOf(storage).page(cursor)).toEqual({ kind: 'anew' });
  });

  it('leave nothing behind in the object', async () => {
    const storage = openTables([FIRST], 5);
    const before = storage.sql.exec('SELECT name FROM sqlite_master ORDER BY name').toArray();
    await exporterOf(storage).page(undefined);
    await readAll(exporterOf(storage));

    expect(storage.sql.exec('SELECT name FROM sqlite_master ORDER BY name').toArray()).toEqual(
      before,
    );
  });
});

describe('an object that is restored', () => {
  const options = { leftOut: ['secrets'], mayHold: { jobs: 0 }, derive: () => {} };

  async function restoreInto(
    storage: TestStorage,
    migrations: readonly string[],
    from = openTables([FIRST], 300),
  ) {
    const { rows, form, end } = await readAll(exporterOf(from));
    const digest = addRows(NO_ROWS, rows);
    const restore = new ObjectRestore({ storage, migrations, ...options });
    const staged = restore.stage({ digest, page: 0, rows });
    return { rows, staged, result: await restore.commit({ digest, pages: 1, form, end }) };
  }

  it('has the same rows, the last numbers that were given, and what is its own', async () => {
    const storage = openTables();
    storage.sql.exec("INSERT INTO secrets VALUES (1, 'mine')");
    const from = openTables([FIRST], 300);
    from.sql.exec("INSERT INTO secrets VALUES (1, 'theirs')");
    from.sql.exec('DELETE FROM jobs WHERE seq > 290');

    const { rows } = await restoreInto(storage, [FIRST], from);

    expect((await readAll(exporterOf(storage))).rows).toEqual(rows);
    expect(storage.sql.exec('SELECT secret FROM secrets').toArray()).toEqual([{ secret: 'mine' }]);
    storage.sql.exec("INSERT INTO jobs (job_id) VALUES ('next')");
    expect(storage.sql.exec("SELECT seq FROM jobs WHERE job_id = 'next'").one()).toEqual({
      seq: 301,
    });
  });

  it('goes through the migrations since the backup was made', async () => {
    const storage = openTables([FIRST, SECOND]);

    await restoreInto(storage, [FIRST, SECOND]);

    const teams = storage.sql
      .exec('SELECT team, count(*) AS jobs FROM jobs GROUP BY team')
      .toArray();
    expect(teams).toEqual([{ team: 'default', jobs: 300 }]);
  });

  it('refuses rows of a newer schema than it knows', async () => {
    const { result } = await restoreInto(openTables(), [FIRST], openTables([FIRST, SECOND], 3));

    expect(result).toEqual({ kind: 'newer', known: 1 });
  });

  it('keeps what it has where a row does not fit', async () => {
    const storage = openTables();
    const rows = ['["jobs",[1,"a",null]]', '["jobs",[2,"a",null]]'];
    const digest = addRows(NO_ROWS, rows);
    const { form, end } = await readAll(exporterOf(openTables()));
    const restore = new ObjectRestore({ storage, migrations: [FIRST], ...options });
    restore.stage({ digest, page: 0, rows });
    const commit = restore.commit({ digest, pages: 1, form, end: { ...end, rows: { jobs: 2 } } });

    await expect(commit).rejects.toThrow(/UNIQUE/);
    expect(storage.sql.exec('SELECT count(*) AS jobs FROM jobs').one()).toEqual({ jobs: 0 });
  });

  it('refuses where it holds something, and other rows than were announced', async () => {
    expect((await restoreInto(openTables([FIRST], 1), [FIRST])).staged).toEqual({
      kind: 'not-empty',
      table: 'jobs',
      rows: 1,
    });

    const restore = new ObjectRestore({ storage: openTables(), migrations: [FIRST], ...options });
    const { form, end } = await readAll(exporterOf(openTables()));
    restore.stage({ digest: NO_ROWS, page: 0, rows: ['["jobs",[1,"a",null]]'] });
    expect(await restore.commit({ digest: NO_ROWS, pages: 1, form, end })).toEqual({
      kind: 'other-rows',
    });
  });
});

describe('an object that a newer version wrote', () => {
  it('is not opened by an older one, which says what it found and leaves it as it is', () => {
    const storage = openTables([FIRST, SECOND], 2);

    expect(() => migrate(storage, [FIRST])).toThrow(
      `${NEWER_SCHEMA}: its schema is 2, expected at most 1; run the version that wrote it, or a later one`,
    );
    expect(() => migrate(storage, [FIRST, SECOND])).not.toThrow();
  });

  it('takes a migration whole or not at all', () => {
    const storage = openTables([FIRST], 2);

    expect(() => migrate(storage, [FIRST, `${SECOND}; CREATE TABLE jobs (x)`])).toThrow(
      /already exists/,
    );
    expect(storage.sql.exec('SELECT * FROM jobs').columnNames).not.toContain('team');
    migrate(storage, [FIRST, SECOND]);
    expect(storage.sql.exec('SELECT * FROM jobs').columnNames).toContain('team');
  });
});
