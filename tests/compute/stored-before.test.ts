import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killLaunchers, type Launcher, makeFolders, startLauncher } from './launcher-process.ts';
import { runSpikegrid, temporaryFolder } from './spikegrid-process.ts';

/**
 * A state folder, runs of every family and browser storage as commit 040a188 wrote them, with what
 * that commit answered about them. Stored names may change only by a migration that passes here.
 */
const files = unzipSync(
  readFileSync(fileURLToPath(new URL('../data/stored-by-040a188.zip', import.meta.url))),
);
const expected = JSON.parse(new TextDecoder().decode(files['expected.json'])) as {
  readonly responses: Readonly<Record<string, unknown>>;
  /** SHA-256 of model.safetensors after step 4, by run; each run was cut after step 2. */
  readonly weights: Readonly<Record<string, string>>;
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
    expect(JSON.parse(ended.stdout)).toMatchObject(before);
  });

  it.each(Object.entries(expected.weights))('resumes %s to the same bits', async (name, before) => {
    const run = join(folder.path, 'runs', name);
    const data = join(folder.path, 'data', DATA[name] ?? 'text.txt');
    const ended = await runSpikegrid(
      ...['train', '--resume', run, '--dataset', data, '--steps', '4', ...DETERMINISTIC],
    );

    expect(ended.code, ended.stderr).toBe(0);
    const weights = readFileSync(join(run, 'checkpoint-000004/model.safetensors'));
    expect(createHash('sha256').update(weights).digest('hex')).toBe(before);
  });
});
