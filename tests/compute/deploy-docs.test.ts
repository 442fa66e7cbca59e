import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../edge/harness.ts';

const MARK = /\s+# not executable here: \S/;

/** The commands of the page that are run, and the test that runs each: here where it says `here`. */
const EXECUTED: Readonly<Record<string, string>> = {
  'npm run deploy -- --dry-run': 'tests/full/deploy.test.ts',
  'npm run deploy -- --dry-run --env staging': 'tests/full/deploy.test.ts',
  'npm start -- --auth required': 'tests/compute/keys.test.ts',
  'npm run backup -- --gateway http://127.0.0.1:8000 --key-file .spikegrid/bootstrap-key --out backups/monday':
    'here',
  'npm run backup -- --state .spikegrid --out backups/monday': 'here',
  'npm run restore -- --state restored --from backups/monday': 'here',
};

const commands = Array.from(
  readFileSync(join(root, 'docs/deploy.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm),
  ([, block = '']) => block.trim().split('\n'),
).flat();

describe('docs/deploy.md', () => {
  it('has no command that is neither run by a test nor marked', () => {
    const open = commands.filter((line) => !MARK.test(line) && !(line in EXECUTED));

    expect(commands.length).toBeGreaterThan(10);
    expect(open).toEqual([]);
    expect(Object.keys(EXECUTED).filter((line) => !commands.includes(line))).toEqual([]);
  });

  it.each(Object.entries(EXECUTED).filter(([, test]) => test !== 'here'))(
    '%s is run by %s',
    (command, test) => {
      const flags =
        command
          .split(' -- ')[1]
          ?.split(' ')
          .filter((word) => word.startsWith('--')) ?? [];
      const text = readFileSync(join(root, test), 'utf8');

      for (const flag of flags) expect(text).toContain(flag);
    },
  );
});

describe('the commands of a backup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-docs-'));
  const files = unzipSync(readFileSync(join(root, 'tests/data/state-0.1.0.zip')));
  beforeAll(() => {
    for (const [path, bytes] of Object.entries(files)) {
      const place = join(folder, '.spikegrid', path.replace(/^state/, 'worker'));
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, bytes);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a command of the page in a folder of its own, as `tools/run.mjs` does. */
  function run(command: string) {
    const [, name = '', flags = ''] = /^npm run (\w+) -- (.*)$/.exec(command) ?? [];
    const main = join(root, 'dist/node/backup.js');
    return new Promise<{ code: number; out: string; err: string }>((resolve) => {
      execFile(
        process.execPath,
        [main, name, ...flags.split(' ')],
        { cwd: folder },
        (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
      );
    });
  }

  it('move what a state folder holds into another one', async () => {
    const backup = await run('npm run backup -- --state .spikegrid --out backups/monday');
    expect([backup.code, backup.out]).toEqual([
      0,
      expect.stringMatching(/backed up to .*monday: \d+ objects with \d+ rows, 5 files/),
    ]);
    const restored = await run('npm run restore -- --state restored --from backups/monday');
    expect([restored.code, restored.out]).toEqual([0, expect.stringContaining('restored from')]);

    const written = readdirSync(join(folder, 'backups'), { recursive: true, withFileTypes: true });
    const modes = written
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect(readdirSync(join(folder, 'restored/worker/r2/spikegrid-files/blobs'))).toHaveLength(5);
  });

  it('say where nobody answers, and what holds no backup', async () => {
    writeFileSync(join(folder, '.spikegrid/bootstrap-key'), 'sg_none');
    const gone = await run(
      'npm run backup -- --gateway http://127.0.0.1:9 --key-file .spikegrid/bootstrap-key --out backups/gone',
    );
    const none = await run('npm run restore -- --state other --from backups/gone');

    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining('cannot reach the server')]);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('holds no complete backup')]);
  });
});
