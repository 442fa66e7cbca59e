import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { JobRecord } from '../../edge/training/contract/job.ts';
import { killLaunchers, type Launcher, makeFolders, startLauncher } from './launcher-process.ts';
import {
  refusalOf,
  runHere,
  runSpikegrid,
  startSpikegrid,
  writeNovel,
} from './spikegrid-process.ts';

/** A platform that asks everybody for a key, with the trainer that `npm start` brings along. */
const folders = { ...makeFolders(), trainer: true as const };
const data = join(folders.state, 'data');
let launcher: Launcher;
beforeAll(async () => {
  mkdirSync(data, { recursive: true });
  writeNovel(data, 3);
  launcher = await startLauncher(folders, ['--auth', 'required']);
  vi.stubEnv('SPIKEGRID_KEY', readFileSync(join(folders.state, 'bootstrap-key'), 'utf8').trim());
});
afterAll(() => {
  vi.unstubAllEnvs();
  killLaunchers();
});

const cli = (...args: string[]) => runSpikegrid(...args, '--gateway', launcher.gateway);
const here = (...args: string[]) => runHere(...args, '--gateway', launcher.gateway);
const small = ['--preset', 'tiny', '--d-model', '16', '--seq-len', '16', '--batch-size', '4'];
const brief = [...small, '--steps', '30'];

describe('a trainer', () => {
  const keyOf = async (scopes: string) =>
    (await here('keys', 'create', '--name', 'trainer', '--scopes', scopes)).stdout.trim();
  const MISSING = ['train', 'registry:read', 'registry:write'];

  it.each([['trainer'], ['training-server']])(
    'whose key could not store a result is refused at its start (%s)',
    async (command) => {
      const key = await keyOf('train,registry:write');
      const more = command === 'trainer' ? [] : ['--port', '0'];

      const refused = await cli(command, '--data', data, '--key', key, ...more);

      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('lacks registry:read. With a key for administration');
      const [, scopes] = /keys create --name trainer --scopes (\S+)/.exec(refused.stderr) ?? [];
      expect(scopes).toBe(MISSING.join(','));
      const help = (await runHere(command, '--help')).stdout.replace(/\s+/g, ' ');
      expect(help).toContain(`a key with the scopes ${MISSING.join(', ')}`);
    },
  );

  it('with a key as the refusal says waits for work', async () => {
    const key = await keyOf(MISSING.join(','));
    const trainer = startSpikegrid([
      ...['trainer', '--data', data, '--output', join(folders.state, 'other-trainer')],
      ...['--gateway', launcher.gateway, '--key', key],
    ]);

    await vi.waitFor(() => expect(trainer.output()).toContain('waiting for work'), 20_000);
    trainer.process.kill('SIGTERM');
    expect((await trainer.ended).code).toBe(0);
  });

  it('without a key learns which scopes it needs', async () => {
    const key = process.env['SPIKEGRID_KEY'];
    vi.stubEnv('SPIKEGRID_KEY', '');
    const refused = await cli('trainer', '--data', data);
    vi.stubEnv('SPIKEGRID_KEY', key);

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`No key was given, and a trainer needs ${MISSING.join(', ')}`);
  });
});

describe('spikegrid jobs', () => {
  it('trains with the trainer of npm start, and lists, shows and follows what it did', async () => {
    const submitted = await cli(
      ...['jobs', 'submit', '--dataset', 'moby-dick.txt', '--name', 'local', ...brief],
    );
    expect(submitted.code, submitted.stderr).toBe(0);
    const id = submitted.stdout.trim();

    const watched = await cli('jobs', 'watch', id, '--json');
    const again = await here('jobs', 'watch', id);
    const listed = await here('jobs', 'list', '--status', 'succeeded');
    const shown = await here('jobs', 'show', id);
    const record = JSON.parse((await here('jobs', 'show', id, '--json')).stdout);

    expect(watched.code, watched.stderr).toBe(0);
    const lines = watched.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const events = lines.filter((line) => 'seq' in line);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('succeeded')]);
    expect(listed.stdout).toMatch(new RegExp(`${id}  succeeded .* local  moby-dick.txt`));
    expect(shown.stdout).toContain('step 30 of 30');
    expect(record).toMatchObject({ status: 'succeeded', model: { model_id: 'local' } });
    expect(launcher.output()).toContain(`trainer: ${id} (local): attempt 1`);
  });

  it('goes on following where the connection breaks off', async () => {
    const submitted = await here(
      ...['jobs', 'submit', '--dataset', 'moby-dick.txt', ...small, '--steps', '100000'],
      ...['--checkpoint-every', '50'],
    );
    const id = submitted.stdout.trim();
    const watching = startSpikegrid([
      ...['jobs', 'watch', id, '--json', '--gateway', launcher.gateway],
    ]);
    await watching.until(/"type":"job.checkpoint"/);

    await here('jobs', 'cancel', id);

    const { code, stdout } = await watching.ended;
    expect(code).toBe(2);
    expect(stdout).toContain('"to":"cancelled"');
  });

  it.each([
    [['show', 'job_unknown'], 'no such job'],
    [['submit', '--dataset', 'moby-dick.txt', '--heads', '3'], 'structure'],
    [['submit', '--dataset', '../moby-dick.txt'], 'not safe'],
    [
      ['submit', '--dataset', 'a.txt', '--steps', '1', '--epochs', '1'],
      'expected at most one of them',
    ],
    [['submit', '--dataset', 'a.txt', '--base', '@1.0.0'], 'expected id, id@version or id@alias'],
    [['submit', '--dataset', 'a.txt', '--preset', 'huge'], 'Allowed choices are auto'],
    [['submit', '--dataset', 'a.txt', '--base', 'unknown'], 'no such model'],
  ])('refuses %j', async (args, message) => {
    const { stderr } = await refusalOf('jobs', ...args, '--gateway', launcher.gateway);

    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('says that a key is missing', async () => {
    const { code, stderr } = await here('jobs', 'list', '--key', 'sg_wrong');

    expect(code).toBe(1);
    expect(stderr).toContain('Credentials are missing or not valid');
  });
});

describe('spikegrid datasets', () => {
  it('pushes a file of more than one part once, lists it, trains on it and deletes it', async () => {
    // Most of it is passed over in training: a text of as many characters would take long to read.
    const note = 'x'.repeat(2 ** 16);
    const known = readFileSync(join(data, 'moby-dick.txt'), 'utf8').split('\n');
    const lines = Array.from({ length: 544 }, (_, i) => known[i % known.length]);
    const large = join(folders.state, '../large text.jsonl');
    writeFileSync(large, lines.map((text) => `${JSON.stringify({ text, note })}\n`).join(''));

    const pushed = await cli('datasets', 'push', large);
    const again = await here('datasets', 'push', large);
    const listed = await here('datasets', 'list');
    const trained = await here(
      ...['jobs', 'submit', '--dataset', 'datasets/large-text.jsonl', ...brief, '--wait'],
    );
    const deleted = await here('datasets', 'delete', 'large-text.jsonl');

    expect(pushed.code, pushed.stderr).toBe(0);
    expect(again.code, again.stderr).toBe(0);
    expect([pushed.stdout, again.stdout]).toEqual(Array(2).fill('datasets/large-text.jsonl\n'));
    expect(listed.stdout).toMatch(/^datasets\/large-text\.jsonl {2}3\d{7} bytes/m);
    expect(trained.code, trained.stderr).toBe(0);
    expect(deleted.code, deleted.stderr).toBe(0);
    expect((await here('datasets', 'list')).stdout).not.toContain('large-text');
  });

  it('refuses another content under a name, an empty file and a name that is none', async () => {
    const [a, b, empty] = ['a.txt', 'b.txt', 'empty.txt'].map((name) =>
      join(folders.state, '..', name),
    );
    writeFileSync(a!, 'a');
    writeFileSync(b!, 'b');
    writeFileSync(empty!, '');
    const taken = await here('datasets', 'push', a!, '--name', 'taken');
    expect(taken.code, taken.stderr).toBe(0);

    const other = await here('datasets', 'push', b!, '--name', 'taken');
    const nothing = await here('datasets', 'push', empty!);
    const unnamed = await here('datasets', 'push', a!, '--name', '../x');
    const missing = await here('datasets', 'push', `${a}.none`);

    expect([other, nothing, unnamed, missing].map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    expect(other.stderr).toContain('exists already');
    expect(nothing.stderr).toContain('is empty: expected data');
    expect(unnamed.stderr).toContain('--name is "../x"');
    expect(missing.stderr).toContain('does not exist');
  });
});

describe('the trainer of npm start', () => {
  it('ends with the platform, and goes on with its job the next time', async () => {
    const submitted = await here(
      ...['jobs', 'submit', '--dataset', 'moby-dick.txt', ...small, '--steps', '20000'],
      ...['--checkpoint-every', '10'],
    );
    const id = submitted.stdout.trim();
    expect(submitted.code, submitted.stderr).toBe(0);
    // Asked again and again: a command for each would take the processor from the training.
    const read = async () => {
      const headers = { authorization: `Bearer ${process.env['SPIKEGRID_KEY']}` };
      const answer = await fetch(`${launcher.gateway}/training/jobs/${id}`, { headers });
      return JobRecord.parse(await answer.json());
    };
    await vi.waitFor(async () => expect((await read()).checkpoints).not.toEqual([]), {
      timeout: 30_000,
    });

    launcher.process.kill('SIGTERM');
    expect(await launcher.ended()).toBe(0);
    expect(launcher.alive()).toEqual([]);
    launcher = await startLauncher(folders, ['--auth', 'required']);

    await vi.waitFor(
      async () => {
        const { attempts } = await read();
        expect(attempts).toMatchObject([{ outcome: 'released' }, { outcome: null }]);
        expect(attempts[1]?.from_step).toBeGreaterThan(0);
      },
      { timeout: 30_000, interval: 500 },
    );
  });

  it('leaves nothing running when the launcher is killed', async () => {
    launcher.process.kill('SIGKILL');

    await vi.waitFor(() => expect(launcher.alive()).toEqual([]), { timeout: 15_000 });
  });
});
