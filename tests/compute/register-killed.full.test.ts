import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createRegistryClient, type RegistryClient } from '../../edge/registry/contract/client.ts';
import { killLaunchers, type Launcher, makeFolders, startLauncher } from './launcher-process.ts';

afterAll(killLaunchers);

/** A few in every run of the tests; `SPIKEGRID_KILL_ROUNDS=20` makes it the proof in docs/bars.md. */
const ROUNDS = Number(process.env['SPIKEGRID_KILL_ROUNDS'] ?? 4);

const TUS = { 'tus-resumable': '1.0.0' } as const;
/** A little more than a part of the bucket, in chunks that are no divisor of one. */
const LARGE = bytesOf(9_000_001);
const CHUNK = 1_234_567;

function bytesOf(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, i) => (i * 31 + (i >> 8)) % 251);
}

const digestOf = (bytes: Uint8Array) =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const registration = (model_id: string, version = '1.0.0') => ({
  model_id,
  name: model_id,
  version,
  model_type: 'language',
  framework: 'crash',
});

/** Writes that the platform has acknowledged. None of them may be lost. */
class Acknowledged {
  readonly models = new Set<string>();
  readonly files = new Map<string, string>();
  /** The alias `live` of `moving` points to this version or, cut off in between, to the next one. */
  liveVersion = 0;
  /** A large upload that goes on through the rounds, and how many have been finished. */
  large: { readonly path: string; readonly offset: number } | undefined;
  finished = 0;
  count = 0;
  #watcher: { readonly at: number; readonly tell: () => void } | undefined;

  /** Resolves with the write that makes it `more` from now on. */
  after(more: number): Promise<void> {
    return new Promise((tell) => (this.#watcher = { at: this.count + more, tell }));
  }

  note(): void {
    this.count++;
    if (this.#watcher?.at === this.count) this.#watcher.tell();
  }
}

/** Calls one write after another until the platform is gone. */
async function keepWriting(write: () => Promise<void>, known: Acknowledged): Promise<void> {
  for (;;) {
    try {
      await write();
    } catch (error) {
      // The connection broke: fetch says so with a TypeError. All else is a fault of the platform.
      if (error instanceof TypeError) return;
      throw error;
    }
    known.note();
  }
}

function writersFor(client: RegistryClient, base: string, known: Acknowledged) {
  let next = known.count;
  const name = (what: string) => `${what}-${String(next++).padStart(6, '0')}`;
  return [
    async () => {
      const id = name('model');
      await client.register(registration(id));
      known.models.add(id);
    },
    async () => {
      const filename = name('file');
      const body = bytesOf(1000 + next);
      await client.upload({ modelId: 'moving', version: '1.0.0', filename, body });
      known.files.set(filename, digestOf(body));
    },
    async () => {
      const version = `1.0.${known.liveVersion + 1}`;
      await client.register(registration('moving', version));
      await putAlias(base, version);
      known.liveVersion += 1;
    },
    () => advanceLarge(base, known),
  ];
}

async function putAlias(base: string, version: string): Promise<void> {
  const answer = await fetch(`${base}/models/moving/aliases/live`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version }),
  });
  expect([200, 201]).toContain(answer.status);
}

/** Begins a large upload, or sends the next chunk of it. */
async function advanceLarge(base: string, known: Acknowledged): Promise<void> {
  const { large } = known;
  if (!large) {
    const filename = Buffer.from(`large-${known.finished}`).toString('base64');
    const answer = await fetch(`${base}/models/moving/uploads`, {
      method: 'POST',
      headers: {
        ...TUS,
        'upload-length': String(LARGE.byteLength),
        'upload-metadata': `filename ${filename},version ${Buffer.from('1.0.0').toString('base64')}`,
      },
    });
    expect(answer.status).toBe(201);
    known.large = { path: answer.headers.get('location') ?? '', offset: 0 };
    return;
  }
  const answer = await fetch(base + large.path, {
    method: 'PATCH',
    headers: {
      ...TUS,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(large.offset),
    },
    body: LARGE.subarray(large.offset, large.offset + CHUNK),
  });
  expect(answer.status).toBe(204);
  noteLarge(known, Number(answer.headers.get('upload-offset')));
}

/** Sends chunks until as many large uploads have been finished. */
async function finishLarge(base: string, known: Acknowledged, count: number): Promise<void> {
  while (known.finished < count) await advanceLarge(base, known);
}

function noteLarge(known: Acknowledged, offset: number): void {
  const { large } = known;
  if (!large) return;
  known.large = offset < LARGE.byteLength ? { ...large, offset } : undefined;
  if (offset < LARGE.byteLength) return;
  known.files.set(`large-${known.finished}`, digestOf(LARGE));
  known.finished += 1;
}

/** Everything that was acknowledged is there; what was under way may be there too. */
async function verify(client: RegistryClient, base: string, known: Acknowledged): Promise<void> {
  const ids = new Set<string>();
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page = await client.listModels({
      query: {
        framework: 'crash',
        limit: 100,
        ...(cursor !== '' && { cursor }),
      },
    });
    for (const { model_id } of page.models) ids.add(model_id);
    cursor = page.next_cursor ?? undefined;
  }
  expect([...known.models].filter((id) => !ids.has(id))).toEqual([]);

  await settleLarge(base, known);
  const { files } = await client.getModel({
    params: { id: 'moving' },
    query: { version: '1.0.0' },
  });
  const stored = new Map(files.map(({ filename, digest }) => [filename, digest]));
  const lost = [...known.files].filter(([filename, digest]) => stored.get(filename) !== digest);
  expect(lost).toEqual([]);

  const { version } = await client.getModel({ params: { id: 'moving' }, query: { alias: 'live' } });
  const moved = Number(version.split('.')[2]);
  expect([known.liveVersion, known.liveVersion + 1]).toContain(moved);
  known.liveVersion = moved;
}

/** The large upload stands where it was acknowledged, or behind that. */
async function settleLarge(base: string, known: Acknowledged): Promise<void> {
  if (!known.large) return;
  const answer = await fetch(base + known.large.path, { method: 'HEAD', headers: TUS });
  expect(answer.status).toBe(200);
  const offset = Number(answer.headers.get('upload-offset'));
  expect(offset).toBeGreaterThanOrEqual(known.large.offset);
  noteLarge(known, offset);
}

/** Ends the launcher and everything it started, workerd too, with no chance to say goodbye. */
async function kill(launcher: Launcher): Promise<void> {
  process.kill(-launcher.process.pid, 'SIGKILL');
  await launcher.ended();
}

describe('a platform that is killed in the middle of writes', () => {
  it(`has lost nothing it acknowledged, ${ROUNDS} times over`, async () => {
    const folders = makeFolders();
    const known = new Acknowledged();
    for (let round = 0; round < ROUNDS; round++) {
      const launcher = await startLauncher(folders);
      const client = createRegistryClient({ base: launcher.registry });
      if (round === 0) await client.register(registration('moving'));
      if (round === 0) await putAlias(launcher.registry, '1.0.0');
      await verify(client, launcher.registry, known);

      // Other moments in every round, the same ones in every run.
      const enough = known.after(7 + ((round * 13) % 29));
      const writers = writersFor(client, launcher.registry, known);
      const writing = writers.map((write) => keepWriting(write, known));
      await Promise.race([enough, ...writing]);
      await kill(launcher);
      await Promise.all(writing);
    }

    const launcher = await startLauncher(folders);
    const client = createRegistryClient({ base: launcher.registry });
    await verify(client, launcher.registry, known);
    // Where rounds are short, uploads that go on through them are finished by those after them.
    await finishLarge(launcher.registry, known, 2);
    for (const [filename, digest] of known.files) {
      // The client compares the digest of what arrives with what is stored, too.
      const bytes = await client.download({ modelId: 'moving', version: '1.0.0', filename });
      expect(digestOf(bytes)).toBe(digest);
    }
    expect(known.models.size).toBeGreaterThan(ROUNDS);
    expect(known.files.size).toBeGreaterThan(ROUNDS);
    await kill(launcher);
  }, 240_000);
});
