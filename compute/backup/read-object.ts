import { backupEndpoints } from '../../edge/backup/endpoints.ts';
import type { KeptForm, KeptObject, ObjectPage } from '../../edge/backup/contract/backup.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { addRows, NO_ROWS } from '../../edge/http/rows-digest.ts';
import type { Archive, ArchivedObject } from './archive.ts';
import { OperatorError } from '../process/operator-error.ts';
import type { Platform } from './platform.ts';

/** An object that begins anew while it is read is read again so often. */
const MAX_READS = 5;

/** Reads all rows of an object, as they are at one moment, into the archive. */
export async function readObject(
  platform: Platform,
  archive: Archive,
  object: KeptObject,
): Promise<ArchivedObject> {
  for (let reads = 1; reads <= MAX_READS; reads++) {
    const read = await readOnce(platform, archive, object);
    if (read) return read;
  }
  throw new OperatorError(
    `${object.class} ${object.name} began anew ${MAX_READS} times while it was read: try again later`,
  );
}

async function readOnce(
  platform: Platform,
  archive: Archive,
  object: KeptObject,
): Promise<ArchivedObject | undefined> {
  const file = archive.rowsPath(object);
  const raw = archive.write(`${file}.raw`);
  const read = await readPages(platform, object, (row) => raw.add(`${row}\n`));
  await raw.close();
  if (!read) return undefined;
  const { form, end, changed } = read;
  return settle(archive, { object, file, form, end }, changed);
}

/** Undefined where the object began anew meanwhile. */
async function readPages(
  platform: Platform,
  object: KeptObject,
  add: (row: string) => Promise<void>,
) {
  let page = await pageOf(platform, object, undefined);
  const form = page?.form ?? { schema: 0, tables: {} };
  /** Rows by their keys that changed while the others were read; undefined where they are gone. */
  const changed = new Map<string, string | undefined>();
  while (page) {
    for (const gone of page.gone) changed.set(gone, undefined);
    for (const row of page.rows) {
      if (page.changed) changed.set(keyOf(form, row), row);
      else await add(row);
    }
    if (page.end) return { form, end: page.end, changed };
    page = await pageOf(platform, object, page.next_cursor ?? undefined);
  }
  return undefined;
}

/** Undefined where the object has begun anew. */
async function pageOf(
  { call }: Platform,
  object: KeptObject,
  cursor: string | undefined,
): Promise<ObjectPage | undefined> {
  const body = { object, ...(cursor !== undefined && { cursor }) };
  try {
    return (await call(backupEndpoints.readObject, { body })).body;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'precondition_failed') return undefined;
    throw error;
  }
}

/** Puts what changed in the place of what was read before; undefined where the rows are not those counted. */
async function settle(
  archive: Archive,
  read: Omit<ArchivedObject, 'digest'>,
  changed: ReadonlyMap<string, string | undefined>,
): Promise<ArchivedObject | undefined> {
  const { file, form, end } = read;
  const rows = archive.write(file);
  const counts = new Map<string, number>();
  let digest = NO_ROWS;
  const add = async (row: string) => {
    const [table] = JSON.parse(row) as [string];
    counts.set(table, (counts.get(table) ?? 0) + 1);
    digest = addRows(digest, [row]);
    await rows.add(`${row}\n`);
  };
  for await (const row of archive.linesOf(`${file}.raw`)) {
    if (changed.size === 0 || !changed.has(keyOf(form, row))) await add(row);
  }
  for (const row of changed.values()) if (row !== undefined) await add(row);
  await rows.close();
  archive.remove(`${file}.raw`);
  const isWhole = Object.entries(end.rows).every(
    ([table, count]) => count === (counts.get(table) ?? 0),
  );
  return isWhole ? { ...read, digest } : undefined;
}

/** A row's table and key, in the format that deleted rows are listed in. */
function keyOf({ tables }: KeptForm, row: string): string {
  const [table, values] = JSON.parse(row) as [string, readonly unknown[]];
  const { columns = [], key = [] } = tables[table] ?? {};
  return JSON.stringify([table, key.map((column) => values[columns.indexOf(column)])]);
}
