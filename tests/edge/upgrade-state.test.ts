import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Archive } from '../../compute/backup/archive.ts';
import { backUp } from '../../compute/backup/backup.ts';
import { openPlatform } from '../../compute/backup/platform.ts';
import { hashSecret, parseApiKey } from '../../edge/access/contract/api-key.ts';
import { NEWER_SCHEMA } from '../../edge/contract/refusal.ts';
import { REGISTRY_MIGRATIONS } from '../../edge/registry/schema.ts';
import { BROKER, callerOf, type Filled, retained } from './filled-platform.ts';
import { type Edge, problemOf, root, sha256, startEdge } from './harness.ts';
import { send } from './keys-in-hand.ts';

type Row = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

/** Written by make-state.ts next to the state: the rows by the names of the objects' files. */
interface About {
  readonly admin: string;
  readonly filled: Filled;
  readonly rows: Readonly<Record<string, Tables>>;
}

/** Tables whose rows are deleted by themselves, after days or once delivered. */
const PASSING = new Set([
  'migrations',
  'metadata',
  'outbox',
  'Access.audit',
  'Alerts.evaluations',
  'Gateway.health',
  'LogHub.events',
  'LogHub.lines',
  'LogHub.meta',
  'Monitoring.journal',
  'Sensors.readings',
]);
/** Columns that change as the platform runs, or that a migration since has written anew. */
const MOVING = new Set([
  'keys.last_used_at',
  'keys.scopes',
  'parts.touched_at',
  'sensors.first_seq',
  'sensors.oldest_at',
  'sensors.open_window',
  'sensors.window_due',
]);

const released = readdirSync(join(root, 'tests/data')).filter((name) =>
  /^state-.*\.zip$/.test(name),
);

describe.each(released)('the state of %s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-upgrade-'));
  const files = unzipSync(readFileSync(join(root, 'tests/data', name)));
  const about = JSON.parse(new TextDecoder().decode(files['about.json'])) as About;
  const { admin, filled } = about;
  let edge: Edge;

  beforeAll(async () => {
    for (const [path, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    edge = await start();
  });
  afterAll(async () => {
    await edge[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  async function start(): Promise<Edge> {
    const { id, secret } = parseApiKey(admin)!;
    const BOOTSTRAP_KEY = `${id}:${await hashSecret(secret)}`;
    const vars = { AUTH_MODE: 'required', BOOTSTRAP_KEY };
    return startEdge({ stateDir: join(folder, 'state'), vars });
  }
  const doorOf = () => ({ gateway: edge.gateway, admin });

  it('is read through the API by this version', async () => {
    const call = callerOf(doorOf());
    const anna = callerOf(doorOf(), filled.key);

    const weights = await send(
      new URL('/registry/models/tiny/download/model.safetensors?alias=best', edge.gateway),
      { key: filled.key },
    );
    const bytes = new Uint8Array(await weights.arrayBuffer());
    expect(sha256(bytes)).toBe(sha256(new Uint8Array(2_000).fill(7)));
    expect(await call('GET', `/training/jobs/${filled.jobId}`)).toMatchObject({ status: 'queued' });
    expect(await call('GET', '/training/datasets/corpus')).toMatchObject({ size_bytes: 120_000 });
    const found = await anna('GET', '/v1/memory/retrieve?namespace=plant&q=why+did+the+pump+stop');
    expect(JSON.stringify(found)).toContain('because the seal broke');
    expect(await anna('GET', '/v1/sensor/sensors/pump-7')).toMatchObject({ unit: '°C' });
    expect(await retained(doorOf(), filled.key, BROKER)).toBe('worn');
    expect(
      (await send(new URL('/registry/models', edge.gateway), { key: filled.revoked })).status,
    ).toBe(401);
  });

  it('has lost no row', async () => {
    const keyFile = join(folder, 'key');
    writeFileSync(keyFile, admin, { mode: 0o600 });
    const { signal } = new AbortController();
    const platform = openPlatform({ gateway: edge.gateway.origin, keyFile, signal });
    const archive = new Archive(join(folder, 'backup'));
    await backUp(platform, archive, { step: () => {}, done: () => {} });

    const now = await rowsIn(archive);
    const before = Object.keys(files)
      .filter((path) => path.startsWith('state/do/') && !path.endsWith('metadata.sqlite'))
      .flatMap((path) =>
        rowsOf(path.split('/')[2]!.replace('spikegrid-', ''), about.rows[basename(path)]!),
      );
    expect(before.length).toBeGreaterThan(90);
    expect(
      before.filter(({ place, row }) => !now.get(place)?.some((one) => holds(one, row))),
    ).toEqual([]);
  });

  it('that a newer version wrote is refused, and says so', async () => {
    await edge[Symbol.asyncDispose]();
    const path = Object.keys(files).find((one) => /Registry\/[0-9a-f]{64}/.test(one))!;
    const database = new DatabaseSync(join(folder, path));
    database.exec('DELETE FROM migrations');
    for (let i = 0; i < 93; i++) database.exec('INSERT INTO migrations (applied) VALUES (1)');
    database.close();
    edge = await start();

    const answer = await send(new URL('/registry/models', edge.gateway), { key: admin });
    expect([answer.status, (await problemOf(answer)).detail]).toEqual([
      500,
      `${NEWER_SCHEMA}: its schema is 93, expected at most ${REGISTRY_MIGRATIONS.length}; run the version that wrote it, or a later one`,
    ]);
  });
});

function rowsOf(kind: string, tables: Tables): { readonly place: string; readonly row: Row }[] {
  return Object.entries(tables).flatMap(([table, rows]) => {
    const place = `${kind}.${table}`;
    if (PASSING.has(place) || PASSING.has(table)) return [];
    return rows.map((row) => {
      const lasting = Object.entries(row).filter(([column]) => !MOVING.has(`${table}.${column}`));
      return { place, row: Object.fromEntries(lasting) };
    });
  });
}

async function rowsIn(archive: Archive): Promise<Map<string, Row[]>> {
  const found = new Map<string, Row[]>();
  for (const { object, file, form } of archive.manifest().objects) {
    for await (const line of archive.linesOf(file)) {
      const [table, values] = JSON.parse(line) as [string, unknown[]];
      const columns = form.tables[table]!.columns;
      const row = Object.fromEntries(columns.map((column, i) => [column, values[i]]));
      const place = `${object.class}.${table}`;
      found.set(place, [...(found.get(place) ?? []), row]);
    }
  }
  return found;
}

/** Whether a row has all that another has: columns may have come, and members of JSON in them. */
const holds = (now: Row, before: Row): boolean =>
  Object.entries(before).every(([column, value]) => isWithin(value, now[column]));

function isWithin(before: unknown, now: unknown): boolean {
  if (JSON.stringify(before) === JSON.stringify(now)) return true;
  const [old, young] = [membersOf(before), membersOf(now)];
  return old !== undefined && young !== undefined && holds(young, old);
}

function membersOf(value: unknown): Row | undefined {
  const read = typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value;
  return typeof read === 'object' && read !== null && !Array.isArray(read)
    ? (read as Row)
    : undefined;
}
