import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { fillPlatform } from './filled-platform.ts';
import { startGuardedEdge } from './keys-in-hand.ts';

/**
 * Writes tests/data/state-<version>.zip: the state folder of this checkout's platform, filled with some
 * of everything, and its rows as they were then. Run it with the checkout of a version that was released:
 *
 *   node_modules/.bin/node tests/edge/make-state.ts 0.1.0
 */
const [version = ''] = process.argv.slice(2);
const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-state-'));
const edge = await startGuardedEdge({ stateDir });
const { admin } = edge;
const filled = await fillPlatform(edge, new Uint8Array(2_000).fill(7));
// The broker writes what it retains a moment later.
await sleep(2_000);
await edge[Symbol.asyncDispose]();

const entries: Record<string, Uint8Array> = {};
const rows: Record<string, unknown> = {};
for (const entry of readdirSync(stateDir, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (!entry.isFile() || /-(?:wal|shm)$/.test(path)) continue;
  if (path.endsWith('.sqlite')) {
    const database = new DatabaseSync(path);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM');
    rows[basename(path)] = rowsOf(database);
    database.close();
  }
  entries[`state/${path.slice(stateDir.length + 1)}`] = readFileSync(path);
}
const about = JSON.stringify({ version, admin, filled, rows });
entries['about.json'] = new TextEncoder().encode(about);
const out = fileURLToPath(new URL(`../data/state-${version}.zip`, import.meta.url));
writeFileSync(out, zipSync(entries, { level: 9, mtime: '2026-11-22' }));
rmSync(stateDir, { recursive: true });
process.exit();

/** All rows of the tables that are no index of others, by table. */
function rowsOf(database: DatabaseSync): Record<string, unknown> {
  const tables = database
    .prepare(
      `SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '_cf%'`,
    )
    .all() as { name: string }[];
  const read = ({ name }: { name: string }) => [
    name,
    database.prepare(`SELECT * FROM "${name}"`).all().map(asJson),
  ];
  return Object.fromEntries(tables.map(read));
}

function asJson(row: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(row).map(([column, value]) => [
    column,
    value instanceof Uint8Array ? { b: Buffer.from(value).toString('base64') } : value,
  ]);
  return Object.fromEntries(values);
}
