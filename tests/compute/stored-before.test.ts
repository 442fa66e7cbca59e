import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeSafetensors } from '../../engine/checkpoint/safetensors.ts';
import { killLaunchers, type Launcher, makeFolders, startLauncher } from './launcher-process.ts';
import { runSpikegrid, temporaryFolder } from './spikegrid-process.ts';

/**
 * A state folder, runs of every family and browser storage as commit 040a188 wrote them, with what
 * that commit answered about them. Stored names may change only by a migration that passes here.
 */
const zipOf = (name: string) =>
  unzipSync(readFileSync(fileURLToPath(new URL(`../data/${name}`, import.meta.url))));
const files = zipOf('stored-by-040a188.zip');
/** The weights of each run after step 4; each was cut after step 2. */
const weights = zipOf('weights-by-040a188.zip');
const expected = JSON.parse(new TextDecoder().decode(files['expected.json'])) as {
  readonly responses: Readonly<Record<string, unknown>>;
  readonly evaluations: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};
const DETERMINISTIC = ['--device', 'wasm', '--threads', '1', '--deterministic', '--json'];
const DATA: Readonly<Record<string, string>> = {
  vision: 'images',
  multimodal: 'captions',
  memoried: 'captions',
};

function unpack(prefix: string, folder: string): void {
  for (const [path, bytes] of Object.entries(files)) {
    if (!path.startsWith(prefix)) continue;
    const place = join(folder, path.slice(prefix.length));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, bytes);
  }
}

/** A start adds an API key and audit events of its own, and evaluates the alert rules again. */
function stillThere(before: unknown): object {
  return Object.fromEntries(
    Object.entries(before as object).flatMap(([name, value]) => {
      if (name === 'total' || name === 'next_cursor' || name === 'has_more') return [];
      if (!Array.isArray(value)) return [[name, value]];
      const rows = value.map((row: object) => {
        const { last_evaluated_at: _, ...rest } = row as Record<string, unknown>;
        return expect.objectContaining(rest);
      });
      return [[name, expect.arrayContaining(rows)]];
    }),
  );
}

const near = (value: number): unknown => expect.closeTo(value, 4);

/** The same with numbers that may differ by the last bits of float32 arithmetic. */
function nearly(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isInteger(value)) return near(value);
  if (Array.isArray(value)) return value.map(nearly);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nearly(one)]));
}

describe('a state folder of an earlier commit', () => {
  const folders = makeFolders();
  let launcher: Launcher;
  beforeAll(async () => {
    unpack('state/', folders.state);
    launcher = await startLauncher(folders);
  });
  afterAll(killLaunchers);

  it.each(Object.entries(expected.responses))('answers %s as before', async (path, before) => {
    const response = await fetch(`${launcher.gateway}${path.replace(/\?limit=5$/, '')}`);

    expect(await response.json()).toMatchObject(stillThere(before));
  });
});

describe('runs of an earlier commit', () => {
  const folder = temporaryFolder();
  beforeAll(() => {
    unpack('runs/', join(folder.path, 'runs'));
    unpack('data/', join(folder.path, 'data'));
  });
  afterAll(() => folder.remove());

  it.each(Object.entries(expected.evaluations))('evaluates %s as before', async (name, before) => {
    const data = join(folder.path, 'data', DATA[name] ?? 'text.txt');
    const model = join(folder.path, 'runs', name);
    const ended = await runSpikegrid(
      ...['evaluate', '--model', model, '--data', data, '--split', 'all', ...DETERMINISTIC],
    );

    expect(ended.code, ended.stderr).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject(nearly(before) as object);
  });

  it.each(Object.keys(weights))('resumes %s to the same weights', async (file) => {
    const name = file.replace('.safetensors', '');
    const run = join(folder.path, 'runs', name);
    const data = join(folder.path, 'data', DATA[name] ?? 'text.txt');
    const ended = await runSpikegrid(
      ...['train', '--resume', run, '--dataset', data, '--steps', '4', ...DETERMINISTIC],
    );

    expect(ended.code, ended.stderr).toBe(0);
    const stored = new Uint8Array(readFileSync(join(run, 'checkpoint-000004/model.safetensors')));
    const after = decodeSafetensors(stored, name).tensors;
    const before = decodeSafetensors(weights[file]!, file).tensors;
    expect([...after.keys()]).toEqual([...before.keys()]);
    // Kernels made from equations round a last bit differently than those of that commit.
    for (const [tensor, { data: values }] of before) {
      const found = after.get(tensor)!.data;
      const far = Array.from(values, (x, i) => Math.abs(x - found[i]!) / (1 + Math.abs(x)));
      expect(found.length, tensor).toBe(values.length);
      expect(Math.max(...far), tensor).toBeLessThan(1e-6);
    }
  });
});
