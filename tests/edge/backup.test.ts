import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Archive } from '../../compute/backup/archive.ts';
import { backUp } from '../../compute/backup/backup.ts';
import { openPlatform } from '../../compute/backup/platform.ts';
import { restore } from '../../compute/backup/restore.ts';
import {
  BROKER,
  callerOf,
  CORPUS,
  type Filled,
  fillPlatform,
  retained,
  WEIGHTS,
} from './filled-platform.ts';
import { bytesOf, problemOf, sha256 } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';

const folder = mkdtempSync(join(tmpdir(), 'spikegrid-backup-'));
const silent = { step: () => {}, done: () => {} };
const { signal } = new AbortController();

let source: GuardedEdge;
let target: GuardedEdge;
let filled: Filled;
beforeAll(async () => {
  [source, target] = await Promise.all([startStill(), startStill()]);
  filled = await fillPlatform(source);
});
afterAll(async () => {
  await Promise.all([source[Symbol.asyncDispose](), target[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true });
});

/** Its alert rules are judged once, as it starts: the shipped ones watch how slow this machine is. */
const startStill = () => startGuardedEdge({ vars: { ALERTS_INTERVAL_MS: 24 * 3_600_000 } });

function platformOf({ gateway, admin }: GuardedEdge) {
  const keyFile = join(folder, `key-${gateway.port}`);
  writeFileSync(keyFile, `${admin}\n`, { mode: 0o600 });
  return openPlatform({ gateway: gateway.origin, keyFile, signal });
}

const archiveOf = (name: string) => new Archive(join(folder, name));

/**
 * Rows that change with time alone: measurements and their spans, signs of life of regions and services,
 * events until they are dispatched, and the identity of the log, which begins anew where it is restored.
 */
const MOVING = /^(?:Monitoring|Traces|Geo|Gateway health|LogHub meta|\w+ outbox)\b/;
/** Rows that grow by the test itself: audit of backup and restore, the other first key, a log that begins anew. */
const GROWING = /^(?:Access|LogHub) /;

/** The rows of a backup by class, table and object; when a key was last used, and how a rule failed, is left out. */
async function rowsOf(name: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const archive = archiveOf(name);
  const found = new Map<string, string[]>();
  for (const { object, file, form } of archive.manifest().objects) {
    for await (const row of archive.linesOf(file)) {
      const [table, values] = JSON.parse(row) as [string, unknown[]];
      const place = `${object.class} ${table} ${object.name}`;
      for (const moving of ['last_used_at', 'last_error']) {
        const column = form.tables[table]!.columns.indexOf(moving);
        if (column >= 0) values[column] = null;
      }
      if (!MOVING.test(place))
        found.set(place, [...(found.get(place) ?? []), JSON.stringify(values)]);
    }
  }
  return found;
}

describe('backup, wipe, restore', () => {
  it('reads everything that is stored, whoever works meanwhile', async () => {
    await backUp(platformOf(source), archiveOf('first'), silent);

    const { objects, files } = archiveOf('first').manifest();
    const classes = [...new Set(objects.map(({ object }) => object.class))];
    expect(classes).toEqual(expect.arrayContaining(['Registry', 'Memory', 'Sensors', 'Discovery']));
    expect(objects.map(({ object }) => object.name)).toContain(BROKER);
    expect(files).toBe(5);
  });

  it('goes on where it was interrupted: files that were read are not read again', async () => {
    cpSync(join(folder, 'first'), join(folder, 'interrupted'), { recursive: true });
    rmSync(join(folder, 'interrupted/manifest.json'));
    const read: number[] = [];
    const step = (what: string, total: number) => what === 'files' && read.push(total);

    const { files } = await backUp(platformOf(source), archiveOf('interrupted'), {
      ...silent,
      step,
    });

    expect([read, files]).toEqual([[0, 0], 5]);
    await expect(backUp(platformOf(source), archiveOf('interrupted'), silent)).rejects.toThrow(
      'there is a complete backup already',
    );
  });

  it('keeps what it reads from others of this machine', () => {
    const umask = process.umask();
    expect(statSync(join(folder, 'first/manifest.json')).mode & 0o777).toBe(0o666 & ~umask);
    const text = readFileSync(join(folder, 'first/manifest.json'), 'utf8');
    expect(text).not.toContain('private_jwk');
  });

  it.each([
    ['/file?bucket=FILES&key=blobs%2Fa', 'PUT', 32 * 1024 * 1024 + 1],
    ['/stage', 'POST', 16 * 1024 * 1024 + 1],
    ['/commit', 'POST', 16 * 1024 * 1024 + 1],
  ] as const)('%s takes no body of more than it says', async (path, method, size) => {
    const type = method === 'PUT' ? 'application/octet-stream' : 'application/json';
    const headers = { authorization: `Bearer ${source.admin}`, 'content-type': type };
    const url = new URL(`/api/backup${path}`, source.gateway);
    const request = { method, headers, body: new Uint8Array(size) };
    const answer = await fetch(url, request);

    expect((await problemOf(answer)).code).toBe('payload_too_large');
  });

  it('takes bytes of a file for what they are', async () => {
    const headers = { authorization: `Bearer ${source.admin}`, 'content-type': 'text/plain' };
    const url = new URL('/api/backup/file?bucket=FILES&key=blobs%2Fa', source.gateway);
    const answer = await fetch(url, { method: 'PUT', headers, body: 'a' });

    expect((await problemOf(answer)).code).toBe('unsupported_media_type');
  });

  it('refuses a platform that is not empty, and changes nothing there', async () => {
    const again = restore(platformOf(source), archiveOf('first'), silent);

    await expect(again).rejects.toThrow(
      /holds 1 rows in models, expected the object of a new platform/,
    );
    const { models } = (await callerOf(source)('GET', '/registry/models')) as { models: unknown[] };
    expect(models).toHaveLength(1);
  });

  it('refuses a damaged backup before it changes anything', async () => {
    cpSync(join(folder, 'first'), join(folder, 'damaged'), { recursive: true });
    const damaged = archiveOf('damaged');
    const { file } = damaged.manifest().objects.find(({ object }) => object.class === 'Registry')!;
    const path = join(folder, 'damaged', file);
    writeFileSync(path, readFileSync(path, 'utf8').replace('ピコ', 'ナノ'));

    await expect(restore(platformOf(target), damaged, silent)).rejects.toThrow(/is damaged/);
    expect(await callerOf(target)('GET', '/registry/models')).toMatchObject({ total: 0 });
  });

  it('puts every row and byte onto an empty platform', async () => {
    await restore(platformOf(target), archiveOf('first'), silent);
    await backUp(platformOf(target), archiveOf('second'), silent);

    const [first, second] = await Promise.all([rowsOf('first'), rowsOf('second')]);
    expect(first.size).toBeGreaterThan(30);
    for (const place of new Set([...first.keys(), ...second.keys()])) {
      const rows = first.get(place) ?? [];
      const now = (second.get(place) ?? []).filter(
        (row) => !GROWING.test(place) || rows.includes(row),
      );
      expect(now.toSorted(), place).toEqual(rows.toSorted());
    }
  });

  it('goes on where it was interrupted: what is restored already is left as it is', async () => {
    await expect(restore(platformOf(target), archiveOf('first'), silent)).resolves.toBeDefined();
  });

  it.each(['source', 'target'] as const)('shows the same at the API of the %s', async (which) => {
    const door = which === 'source' ? source : target;
    const call = callerOf(door);
    const anna = callerOf(door, filled.key);

    const weights = await send(
      new URL('/registry/models/tiny/download/model.safetensors?alias=best', door.gateway),
      { key: filled.key },
    );
    expect(sha256(new Uint8Array(await weights.arrayBuffer()))).toBe(sha256(WEIGHTS));
    const corpus = await send(new URL('/training/datasets/corpus/content', door.gateway), {
      key: door.admin,
    });
    expect(sha256(new Uint8Array(await corpus.arrayBuffer()))).toBe(sha256(CORPUS));
    expect(await call('GET', `/training/jobs/${filled.jobId}`)).toMatchObject({ status: 'queued' });
    const refused = await send(new URL('/registry/models', door.gateway), { key: filled.revoked });
    expect((await problemOf(refused)).code).toBe('unauthenticated');
    const found = await anna('GET', '/v1/memory/retrieve?namespace=plant&q=why+did+the+pump+stop');
    expect(JSON.stringify(found)).toContain('because the seal broke');
    const readings = await anna('GET', '/v1/sensor/sensors/pump-7/readings');
    expect(readings).toMatchObject({
      readings: expect.toSatisfy((all: unknown[]) => all.length === 4),
    });
    const logs = await call('GET', '/distributed_brain/logs?text=seal+of+the+pump');
    expect(JSON.stringify(logs)).toContain('is worn');
    expect(await call('GET', '/monitoring/alerts/rules/hot')).toMatchObject({ id: 'hot' });
    expect(await call('GET', '/services/greeting')).toMatchObject({ name: 'greeting' });
    expect(await retained(door, filled.key, BROKER)).toBe('worn');
  });
});

describe('requests for a backup', () => {
  const at = (path: string) => new URL(`/api/backup${path}`, source.gateway);
  const post = (path: string, json: unknown, key: string | undefined = source.admin) =>
    send(at(path), { key, method: 'POST', json });
  const put = (query: string, body: Uint8Array<ArrayBuffer>) =>
    fetch(at(`/file?${query}`), {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${source.admin}`,
        'content-type': 'application/octet-stream',
      },
      body,
    });
  const object = { class: 'Memory', name: 'local/nothing' } as const;

  it.each(['/objects', '/files', '/file?bucket=FILES&key=a'])(
    '%s is for administrators alone',
    async (path) => {
      expect((await send(at(path), { key: filled.key })).status).toBe(403);
      expect((await send(at(path))).status).toBe(401);
    },
  );

  it('is refused with what was expected', async () => {
    const cases: readonly (readonly [Promise<Response>, string, RegExp])[] = [
      [send(at('/files?cursor=x'), { key: source.admin }), 'invalid_parameter', /^cursor: got "x"/],
      [
        send(at('/file?bucket=ASSETS&key=a'), { key: source.admin }),
        'file_not_found',
        /no bucket "ASSETS"/,
      ],
      [
        send(at('/file?bucket=FILES&key=a'), { key: source.admin }),
        'file_not_found',
        /no file "a" in FILES/,
      ],
      [put('bucket=OTHER&key=a', bytesOf(9, 1)), 'file_not_found', /no bucket "OTHER"/],
      [
        put('bucket=FILES&key=a&upload_id=none&part=1', bytesOf(9, 1)),
        'upload_not_found',
        /"a" cannot be written/,
      ],
      [post('/file', { bucket: 'OTHER', key: 'a' }), 'file_not_found', /no bucket/],
      [
        post('/file/complete', {
          bucket: 'OTHER',
          key: 'a',
          upload_id: 'u',
          parts: [{ part: 1, etag: 'e' }],
        }),
        'file_not_found',
        /no bucket/,
      ],
      [
        post('/file/complete', {
          bucket: 'FILES',
          key: 'a',
          upload_id: 'u',
          parts: [{ part: 1, etag: 'e' }],
        }),
        'upload_not_found',
        /"a" cannot/,
      ],
      [
        post('/read', { object, cursor: 'none.1' }),
        'precondition_failed',
        /read it from its first page/,
      ],
      [post('/read', { object: { class: 'Sockets', name: 'x' } }), 'validation_failed', /class/],
      [
        post('/stage', { object, digest: 'ab'.repeat(32), page: 3, rows: [] }),
        'offset_mismatch',
        /^page: expected 0/,
      ],
    ];
    for (const [answer, code, detail] of cases) {
      const problem = await problemOf(await answer);
      expect([problem.code, problem.detail]).toEqual([code, expect.stringMatching(detail)]);
    }
  });

  it('commits nothing but the rows that were staged', async () => {
    const form = { schema: 1, tables: {} };
    const end = { alarm: null, sequences: {}, rows: {} };
    const digest = 'cd'.repeat(32);
    const commit = { object, digest, pages: 1, form, end };
    const codeOf = async (json: unknown) => (await problemOf(await post('/commit', json))).code;

    expect(await codeOf(commit)).toBe('offset_mismatch');
    await post('/stage', { object, digest, page: 0, rows: ['["memories",[]]'] });
    expect(await codeOf(commit)).toBe('digest_mismatch');
    expect(await codeOf({ ...commit, form: { ...form, schema: 99 } })).toBe('precondition_failed');
    const full = { ...object, class: 'Registry', name: 'main' };
    expect(await codeOf({ ...commit, object: full })).toBe('already_exists');
  });

  it('writes a large file in parts, and none over another', async () => {
    const place = { bucket: 'FILES', key: 'files/large' };
    const pieces = [bytesOf(5 * 1024 * 1024, 3), bytesOf(100, 4)];
    const begun = (await (await post('/file', place)).json()) as { upload_id: string };
    const { upload_id } = begun;
    const parts = await Promise.all(
      pieces.map(async (piece, i) => {
        const query = new URLSearchParams({ ...place, upload_id, part: String(i + 1) });
        const answer = await put(query.toString(), piece);
        return { part: i + 1, ...((await answer.json()) as { etag: string }) };
      }),
    );
    const complete = await post('/file/complete', { ...place, upload_id, parts });
    expect(await complete.json()).toMatchObject({ ...place, size_bytes: 5 * 1024 * 1024 + 100 });

    const query = new URLSearchParams(place).toString();
    const read = await send(at(`/file?${query}`), { key: source.admin });
    expect(sha256(new Uint8Array(await read.arrayBuffer()))).toBe(sha256(Buffer.concat(pieces)));
    expect((await problemOf(await put(query, pieces[1]!))).code).toBe('already_exists');
    expect((await problemOf(await post('/file', place))).code).toBe('already_exists');
  });
});
