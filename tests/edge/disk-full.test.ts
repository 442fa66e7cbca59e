import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemOf } from '../../edge/contract/refusal.ts';
import { expectRoom, explained } from '../../edge/http/disk-space.ts';
import { bytesOf, problemOf as documentOf, root, tiny, upload } from './harness.ts';

const MIB = 2 ** 20;
const folder = mkdtempSync(join(tmpdir(), 'spikegrid-disk-'));
const program = fileURLToPath(new URL('edge-process.ts', import.meta.url));
/** A disk of so many megabytes at the folder, for whatever is behind it. */
const onSmallDisk = (megabytes: number) => [
  '-rm',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && exec "$@"`,
  folder,
];
const canMount = spawnSync('unshare', [...onSmallDisk(1), 'true']).status === 0;

afterAll(() => rmSync(folder, { recursive: true }));

// Takes namespaces of users and mounts, as most kernels of Linux have them.
describe.skipIf(!canMount)('a platform whose disk is full', () => {
  let platform: ChildProcess;
  let gateway: URL;
  beforeAll(async () => {
    const command = [...onSmallDisk(12), process.execPath, program, root, folder];
    const child = spawn('unshare', command, { stdio: ['pipe', 'pipe', 'ignore'] });
    const [href] = (await once(createInterface(child.stdout), 'line')) as [string];
    gateway = new URL(href);
    platform = child;
  });
  afterAll(async () => {
    platform.stdin?.end();
    await once(platform, 'exit');
  });
  const post = (path: string, body: unknown) =>
    fetch(new URL(path, gateway), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('answers 507 with what to do, for files before they are read', async () => {
    expect((await post('/registry/models/register', tiny)).status).toBe(201);
    const model = new URL('/registry/models/tiny', gateway).href;
    const sent = (name: string, size: number) =>
      upload(model, { filename: name }, bytesOf(size, size));

    const large = await sent('large.bin', 20 * MIB);

    expect(await documentOf(large)).toMatchObject({
      status: 507,
      code: 'insufficient_storage',
      detail: expect.stringMatching(/Make room.*It holds 20971520 bytes, and \d+ are free/),
    });
    // The space left for rows is used up as well.
    const content = Buffer.from(bytesOf(96 * 1024, 7)).toString('hex');
    let stored = await post('/v1/memory/store', { content: content.slice(0, 30_000) });
    for (let i = 0; stored.ok && i < 2_000; i++) {
      await stored.body?.cancel();
      stored = await post('/v1/memory/store', { content: `${i} ${content.slice(i, 30_000)}` });
    }
    expect((await documentOf(stored)).code).toBe('insufficient_storage');
    const again = await post('/registry/models/register', { ...tiny, model_id: 'other' });
    expect((await documentOf(again)).status).toBe(507);
  });
});

describe('a disk', () => {
  const faults = [
    Object.assign(new Error('write'), { code: 'ENOSPC' }),
    new Error('database or disk is full: SQLITE_FULL'),
    new Error('saving failed', { cause: Object.assign(new Error('write'), { code: 'EDQUOT' }) }),
  ];

  it.each(faults)('is full where the system says so: %s', (fault) => {
    expect(problemOf(fault).code).toBe('insufficient_storage');
  });

  it('explains faults of the runtime where it is full, and no others', async () => {
    const hidden = new Error('internal error; reference = x');
    const stalled = new Error('the bucket took no bytes for 30 s');
    const full = async () => 4_096;
    const roomy = async () => 100 * MIB;

    expect(await explained(hidden, full)).toMatchObject({ code: 'insufficient_storage' });
    expect(await explained(stalled, roomy)).toMatchObject({ code: 'insufficient_storage' });
    expect(await explained(hidden, roomy)).toBe(hidden);
    expect(await explained(stalled, async () => undefined)).toBe(stalled);
  });

  it('reserves space for data other than files', async () => {
    const file = (bytes: number) =>
      new Request('http://host.test/', {
        method: 'PUT',
        headers: { 'content-length': `${bytes}` },
      });

    await expect(expectRoom(file(95 * MIB), async () => 100 * MIB)).rejects.toMatchObject({
      code: 'insufficient_storage',
    });
    await expect(expectRoom(file(90 * MIB), async () => 100 * MIB)).resolves.toBeUndefined();
  });
});
