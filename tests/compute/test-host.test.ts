import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseLimits } from '../../compute/cli/test-host.ts';
import { OutputLog } from '../../compute/test-host/output-log.ts';
import { notStarted, startSuite, type SuiteEnd } from '../../compute/test-host/suite-process.ts';
import { projectSuites } from '../../compute/test-host/suites.ts';
import { summaryIn } from '../../compute/test-host/summary.ts';
import { MAX_OUTPUT_BYTES } from '../../edge/test-runs/contract/test-run.ts';
import { ulid } from '../../edge/http/ulid.ts';
import { temporaryFolder } from './spikegrid-process.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const shell = (script: string) => ['/bin/sh', '-c', script] as const;
const LONG_MS = 60_000;

interface Ran extends SuiteEnd {
  readonly log: OutputLog;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a small script as a suite is run. */
async function runScript(script: string, timeLimitMs = LONG_MS): Promise<Ran> {
  const log = new OutputLog();
  const runId = `run_${ulid()}`;
  const { ended } = startSuite({ runId, argv: shell(script), cwd: tmpdir(), timeLimitMs, log });
  const end = await ended;
  log.close();
  return { ...end, log, stdout: log.text('stdout'), stderr: log.text('stderr') };
}

/** Whether a process goes on; one that has ended and was not taken note of does not. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

const pidsIn = (stdout: string) => stdout.trim().split('\n').map(Number);

describe('a suite', () => {
  it.each([
    ['that ends well', 'echo out; echo err >&2', 0],
    ['that fails', 'exit 3', 3],
    ['that is killed', 'kill -9 $$', -9],
  ])('%s: tells how it ended', async (_, script, returncode) => {
    expect(await runScript(script)).toMatchObject({ returncode, isLate: false });
  });

  it('keeps both streams apart', async () => {
    expect(await runScript('echo out; echo err >&2')).toMatchObject({
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  it('receives no keys or other variables of its host', async () => {
    process.env['SPIKEGRID_KEY'] = 'sg_secret';
    const { stdout } = await runScript('env');
    delete process.env['SPIKEGRID_KEY'];

    const names = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(stdout).not.toContain('sg_secret');
    // A shell sets the last three by itself.
    const known = 'NO_COLOR PATH HOME LANG LC_ALL TZ TMPDIR SPIKEGRID_TEST_RUN PWD SHLVL _'.split(
      ' ',
    );
    expect(names.filter((name) => !known.includes(name ?? ''))).toEqual([]);
  });

  it('that hangs is ended with what it has started, once its time is over', async () => {
    const hanging = 'sleep 900 & echo $!; setsid sleep 900 & echo $!; echo $$; sleep 900';

    const { isLate, returncode, stdout } = await runScript(hanging, 3_000);

    expect({ isLate, returncode }).toEqual({ isLate: true, returncode: -9 });
    expect(pidsIn(stdout)).toHaveLength(3);
    expect(pidsIn(stdout).filter(isAlive)).toEqual([]);
  });

  it('leaves nothing behind when it ends by itself, not even what holds its output open', async () => {
    const ready = join(folder.path, 'ready');
    const forking = `
      (sleep 900 & echo $!)
      (setsid sh -c 'echo $$; sleep 900 & echo $!; touch ${ready}; wait' &)
      until [ -e ${ready} ]; do sleep 0.05; done`;

    const { isLate, stdout } = await runScript(forking);

    expect(isLate).toBe(false);
    expect(pidsIn(stdout)).toHaveLength(3);
    expect(pidsIn(stdout).filter(isAlive)).toEqual([]);
  });

  it('that floods its output keeps the end of it, in whole lines', async () => {
    const line = '0123456789 0123456789 0123456789 0123456789';
    const script = `yes '${line}' | head -n 200000; echo '5 passed, 1 failed, 0 skipped'; exit 1`;

    const { log, stdout, returncode } = await runScript(script);

    expect(returncode).toBe(1);
    expect(log.isTruncated).toBe(true);
    expect(stdout.length).toBeGreaterThan(MAX_OUTPUT_BYTES / 2);
    expect(stdout.length).toBeLessThanOrEqual(MAX_OUTPUT_BYTES);
    expect(stdout.startsWith(`${line}\n`)).toBe(true);
    expect(summaryIn(stdout)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  });

  it('whose program is not there has not been started', async () => {
    const log = new OutputLog();
    const options = { runId: 'run_x', cwd: tmpdir(), timeLimitMs: LONG_MS, log };
    const { ended } = startSuite({ ...options, argv: ['/nowhere/tests'] });

    expect(await ended.catch(notStarted)).toEqual({
      returncode: 127,
      isLate: false,
      fault: expect.stringContaining('/nowhere/tests'),
    });
  });

  it('of this project is a program that is there, with arguments that nobody chooses', () => {
    const root = join(import.meta.dirname, '../..');
    const parts = Object.values(projectSuites(root)).flat();

    for (const { argv } of parts) {
      const [program, main = '', name] = argv;
      expect([existsSync(program), existsSync(main), name]).toEqual([true, true, 'test']);
      const files = argv.filter((arg) => arg.startsWith('tests/'));
      expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    }
  });

  it.each([
    ['600', { unit: 600_000, integration: 600_000, all: 600_000 }],
    ['all=1800', { unit: 300_000, integration: 300_000, all: 1_800_000 }],
    ['60,integration=900,all=1800', { unit: 60_000, integration: 900_000, all: 1_800_000 }],
  ])('has limits for its types: %s', (text, limits) => {
    expect(parseLimits(text)).toEqual(limits);
  });

  it.each(['', 'e2e=60', 'all=', 'all=4000', '-1', 'all=1=2'])(
    'has no limits such as "%s"',
    (text) => expect(() => parseLimits(text)).toThrow(/expected/),
  );
});

describe('the output of a run', () => {
  /** Pieces of bytes, cut anywhere, also within a character. */
  const writes = fc.array(
    fc.record({
      stream: fc.constantFrom('stdout' as const, 'stderr' as const),
      text: fc.string({ unit: 'grapheme', maxLength: 30 }),
      isRead: fc.boolean(),
    }),
    { maxLength: 60 },
  );

  it('is what was written, to everyone who follows fast enough', () => {
    fc.assert(
      fc.property(writes, fc.nat(5), (all, cut) => {
        const log = new OutputLog();
        let seen = { stdout: '', stderr: '' };
        let seq = 0;
        const read = () => {
          const next = log.since(seq);
          expect(next.dropped).toBe(0);
          seq = next.seq;
          for (const { stream, text } of next.pieces)
            seen = { ...seen, [stream]: seen[stream] + text };
        };
        for (const { stream, text, isRead } of all) {
          const bytes = new TextEncoder().encode(text);
          log.append(stream, bytes.subarray(0, cut));
          log.append(stream, bytes.subarray(cut));
          if (isRead) read();
        }
        log.close();
        read();

        const written = (name: 'stdout' | 'stderr') =>
          all.map(({ stream, text }) => (stream === name ? text : '')).join('');
        expect(seen).toEqual({ stdout: written('stdout'), stderr: written('stderr') });
        expect(seen).toEqual({ stdout: log.text('stdout'), stderr: log.text('stderr') });
      }),
    );
  });

  it('never holds more than it may, and then the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 200 }), writes, (most, all) => {
        const log = new OutputLog(most);
        for (const { stream, text } of all) log.append(stream, new TextEncoder().encode(text));
        log.close();

        const kept = log
          .since(0)
          .pieces.map(({ text }) => text)
          .join('');
        const whole = all.map(({ text }) => text).join('');
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(most);
        expect(whole.endsWith(kept)).toBe(true);
        expect(log.isTruncated).toBe(kept !== whole);
      }),
    );
  });

  it('tells a late follower how much it has missed', () => {
    const log = new OutputLog(4);
    for (const letter of 'abcdefgh') log.append('stdout', Buffer.from(letter));

    expect(log.since(1)).toEqual({
      pieces: [{ stream: 'stdout', text: 'efgh' }],
      seq: 8,
      dropped: 3,
    });
  });
});

describe('a summary', () => {
  it('is the last line of totals, whatever stands around it', () => {
    const count = fc.nat(999_999_999);
    const counts = fc.record({ passed: count, failed: count, skipped: count });
    fc.assert(
      fc.property(fc.string(), counts, fc.string(), (before, totals, after) => {
        const { passed, failed, skipped } = totals;
        const line = `${passed} passed, ${failed} failed, ${skipped} skipped`;

        expect(summaryIn(`1 passed, 1 failed, 1 skipped\n${before}\n${line}\n${after}`)).toEqual(
          totals,
        );
      }),
    );
  });

  it.each(['', 'no totals', 'x 1 passed, 2 failed, 3 skipped', '-1 passed, 0 failed, 0 skipped'])(
    'is not found in "%s"',
    (text) => expect(summaryIn(text)).toBeNull(),
  );
});
