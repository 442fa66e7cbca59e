import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { followOutput } from '../../compute/test-host/output-stream.ts';
import { openRunHistory } from '../../compute/test-host/run-history.ts';
import { newRun } from '../../compute/test-host/run-record.ts';
import type { SuitePart, Suites } from '../../compute/test-host/suites.ts';
import { type Order, TestScheduler } from '../../compute/test-host/test-scheduler.ts';
import { limitsOf } from '../../compute/test-host/test-host.ts';
import { readEvents } from '../../edge/contract/event-stream.ts';
import { KEPT_RUNS } from '../../edge/test-runs/contract/test-run.ts';
import { ulid } from '../../edge/http/ulid.ts';
import { temporaryFolder } from './spikegrid-process.ts';

const folders: (() => void)[] = [];
afterAll(() => {
  for (const remove of folders) remove();
});

function newFolder(): string {
  const { path, remove } = temporaryFolder();
  folders.push(remove);
  return path;
}

const part = (name: string, script: string): SuitePart => ({
  name,
  argv: ['/bin/sh', '-c', script],
});
const shell = (script: string) => [part('script', script)] as const;
const LONG_MS = 60_000;

const ME = { kind: 'key', id: 'a1b2c3d4e5f6' } as const;
const SUITES: Suites = {
  unit: shell("echo '2 passed, 0 failed, 1 skipped'"),
  integration: shell("echo '1 passed, 1 failed, 0 skipped'; exit 1"),
  all: shell('echo begun; sleep 900'),
};

interface SchedulerOptions {
  readonly suites?: Suites;
  readonly timeLimitMs?: number;
}

async function openScheduler({ suites = SUITES, timeLimitMs = LONG_MS }: SchedulerOptions = {}) {
  const history = await openRunHistory(newFolder());
  const timeLimitsMs = limitsOf(LONG_MS, { all: timeLimitMs });
  return new TestScheduler({ isEnabled: true, suites, root: tmpdir(), timeLimitsMs, history });
}

const order = (type: keyof Suites, record: Order['record'] = async () => {}) => ({
  type,
  startedBy: ME,
  record,
});

describe('the test scheduler', () => {
  it('reports the outcome of a run', async () => {
    const scheduler = await openScheduler();
    const none = scheduler.status();

    const good = await (await scheduler.begin(order('unit'))).ended;
    const bad = await (await scheduler.begin(order('integration'))).ended;

    expect(none).toMatchObject({ status: 'idle', current_run: null, last_run: null });
    expect(good).toMatchObject({ status: 'passed', summary: { passed: 2, failed: 0, skipped: 1 } });
    expect(bad).toMatchObject({ status: 'failed', returncode: 1, summary: { failed: 1 } });
    expect(scheduler.status()).toMatchObject({
      status: 'failed',
      message: '1 passed, 1 failed, 0 skipped.',
    });
    expect(scheduler.list().map(({ run_id }) => run_id)).toEqual([bad.run_id, good.run_id]);
    expect(await scheduler.find(good.run_id)).toEqual(good);
  });

  it('has one run at a time', async () => {
    const scheduler = await openScheduler();
    const begun = [scheduler.begin(order('all')), scheduler.begin(order('unit'))];

    await expect(begun[1]).rejects.toMatchObject({ code: 'test_run_in_progress' });
    const { run } = (await begun[0])!;
    expect(scheduler.status()).toMatchObject({
      status: 'running',
      current_run: { run_id: run.run_id },
    });
    await scheduler.stop();
    expect(scheduler.status()).toMatchObject({ status: 'failed', last_run: { returncode: -9 } });
  });

  it('starts nothing that could not be written down, and is free again', async () => {
    const scheduler = await openScheduler();
    const failing = () => Promise.reject(new Error('no audit'));

    await expect(scheduler.begin(order('unit', failing))).rejects.toThrow('no audit');

    expect(scheduler.list()).toEqual([]);
    expect(await (await scheduler.begin(order('unit'))).ended).toMatchObject({ status: 'passed' });
  });

  it('ends what takes too long', async () => {
    const scheduler = await openScheduler({ timeLimitMs: 300 });

    const late = await (await scheduler.begin(order('all'))).ended;

    expect(late).toMatchObject({ status: 'timeout', returncode: -9 });
    expect(scheduler.status()).toMatchObject({ status: 'timeout' });
  });

  it('runs a suite of parts to its end, and counts all that they counted', async () => {
    const all = [
      part('one', "echo '2 passed, 0 failed, 1 skipped, 1 passed only when tried again'"),
      part('two', "echo '5 passed, 1 failed, 0 skipped'; exit 3"),
      part('three', 'echo nothing counted'),
      part('four', "echo '1 passed, 0 failed, 0 skipped'"),
    ] as const;
    const scheduler = await openScheduler({ suites: { ...SUITES, all } });

    const run = await (await scheduler.begin(order('all'))).ended;

    expect(run).toMatchObject({
      status: 'failed',
      returncode: 3,
      message: '8 passed, 1 failed, 1 skipped.',
      summary: { passed: 8, failed: 1, skipped: 1 },
    });
    expect(run.stdout.match(/passed,|nothing/g)).toHaveLength(4);
  });

  it('keeps what the parts counted that fitted into the time, and names the others', async () => {
    const all = [
      part('engine', "echo '2 passed, 0 failed, 0 skipped'"),
      part('edge', 'echo begun; sleep 900'),
      part('pages', 'echo never'),
    ] as const;
    const scheduler = await openScheduler({ suites: { ...SUITES, all }, timeLimitMs: 2_000 });

    const run = await (await scheduler.begin(order('all'))).ended;

    expect(run).toMatchObject({
      status: 'timeout',
      message:
        'The tests took longer than 2 s and were ended: engine passed, edge ended, pages not begun.',
      summary: { passed: 2, failed: 0, skipped: 0 },
    });
    expect(run.stdout).not.toContain('never');
    expect(scheduler.status().types).toMatchObject([
      { test_type: 'unit', time_limit_s: 60, last_status: null },
      { test_type: 'integration' },
      { test_type: 'all', time_limit_s: 2, last_status: 'timeout' },
    ]);
  });

  it('streams a run from where a follower was, to its end', async () => {
    const scheduler = await openScheduler();
    const begun = await scheduler.begin(order('unit'));
    const followed = async (after: number) => {
      const events = [];
      for await (const event of readEvents(new Response(followOutput(begun, after)))) {
        events.push({ ...event, data: JSON.parse(event.data) as unknown });
      }
      return events;
    };

    const [all, rest] = await Promise.all([followed(0), followed(1)]);

    expect(all).toMatchObject([
      {
        id: '1',
        event: 'output',
        data: { stream: 'stdout', text: '2 passed, 0 failed, 1 skipped\n' },
      },
      { event: 'done', data: { status: 'passed', run_id: begun.run.run_id } },
    ]);
    expect(rest).toMatchObject([{ event: 'done' }]);
  });
});

describe('the stored runs', () => {
  const details = (at: number) => ({
    ...newRun(`run_${ulid(at)}`, 'unit', ME),
    status: 'passed' as const,
    stdout: `run ${at}\n`,
    stderr: '',
  });

  it('are the last fifty, and there again after a restart', async () => {
    const folder = newFolder();
    const runs = Array.from({ length: KEPT_RUNS + 5 }, (_, i) => details(i + 1));
    const history = await openRunHistory(folder);
    for (const run of runs) await history.keep(run);

    const again = await openRunHistory(folder);

    expect(again.list()).toEqual(history.list());
    expect(again.list().map(({ run_id }) => run_id)).toEqual(
      runs
        .slice(5)
        .toReversed()
        .map(({ run_id }) => run_id),
    );
    expect(await again.find(runs[54]!.run_id)).toEqual(runs[54]);
    expect(await again.find(runs[0]!.run_id)).toBeUndefined();
    expect(readdirSync(folder)).toHaveLength(KEPT_RUNS);
  });

  it('say of a run that its host did not see end that it failed', async () => {
    const folder = newFolder();
    const run = { ...details(1), status: 'running' as const };
    await (await openRunHistory(folder)).keep(run);

    const [found] = (await openRunHistory(folder)).list();

    expect(found).toMatchObject({ run_id: run.run_id, status: 'failed' });
    expect(found?.message).toContain('ended while they ran');
  });

  it('are found beside files that are none', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'folder.json'));
    writeFileSync(join(folder, 'torn.json'), '{"run_id":');
    writeFileSync(join(folder, 'other.json'), '{}');
    const run = details(1);
    await (await openRunHistory(folder)).keep(run);
    writeFileSync(join(folder, `${run.run_id}.partial`), 'half');

    expect((await openRunHistory(folder)).list()).toHaveLength(1);
  });
});
