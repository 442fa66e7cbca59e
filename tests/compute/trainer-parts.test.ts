import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEvents } from '../../edge/contract/event-stream.ts';
import { createDatasetCache } from '../../compute/trainer/dataset-cache.ts';
import { listDatasets } from '../../compute/trainer/dataset-list.ts';
import { createJobFiles } from '../../compute/trainer/job-files.ts';
import { ownProblem } from '../../edge/contract/refusal.ts';
import { EngineError } from '../../engine/index.ts';
import { backoffMs, isTransient } from '../../trainer/backoff.ts';
import { createPending } from '../../trainer/heartbeat.ts';
import { jobErrorOf } from '../../trainer/job-failure.ts';
import { intervalOf } from '../../trainer/job-plan.ts';
import { cutFile, fetchFile, sendMissingParts } from '../../trainer/parts.ts';
import { createTrainingClient } from '../../trainer/training-client.ts';
import { createStrides } from '../../trainer/training-loop.ts';

const temporary = () => mkdtempSync(join(tmpdir(), 'spikegrid-roots-'));

import { startPartStore } from './part-store.ts';

describe('the roots of a trainer', () => {
  const makeRoots = () => {
    const data = temporary();
    mkdirSync(join(data, 'more'));
    writeFileSync(join(data, 'a.txt'), 'a');
    writeFileSync(join(data, 'more/b.txt'), 'b');
    writeFileSync(join(data, '.hidden'), 'h');
    symlinkSync('/etc', join(data, 'outside'));
    symlinkSync(join(data, 'more/b.txt'), join(data, 'inside.txt'));
    return { data, output: temporary() };
  };

  it('lists files below it, links within it too, and nothing outside or hidden', async () => {
    expect(await listDatasets(makeRoots().data)).toEqual(['a.txt', 'inside.txt', 'more/b.txt']);
  });

  it.each([
    '../a.txt',
    'more/../../a.txt',
    '/etc/passwd',
    'C:/a.txt',
    'more\\b.txt',
    'a\0.txt',
    'outside/passwd',
    'outside/there/is/no/such/file',
  ])('refuses the path %j, which leads out of it', async (path) => {
    const roots = makeRoots();
    const files = createJobFiles(roots);

    await expect(files.openDataset(path)).rejects.toMatchObject({ code: 'unsafe_path' });
    await expect(files.readCheckpoint(path.replace('outside', '..'))).rejects.toMatchObject({
      code: 'unsafe_path',
    });
  });

  it('keeps what jobs of other teams leave out of the reach of each other', async () => {
    const roots = makeRoots();
    const [own, vision, audio] = ['default', 'vision', 'audio'].map((team) =>
      createJobFiles(roots, team),
    );
    const log = async (files: typeof own, folder: string) => files!.openLog(folder, undefined);
    await log(vision, 'runs/a');

    expect(readdirSync(join(roots.output, '.teams/vision/runs'))).toEqual(['a']);
    symlinkSync(join(roots.output, '.teams'), join(roots.output, 'way'));
    for (const path of ['.teams/vision/runs/a', 'way/vision/runs/a', '.teams']) {
      await expect(own!.readCheckpoint(path)).rejects.toMatchObject({ code: 'unsafe_path' });
    }
    for (const path of ['runs/a', '.teams/vision/runs/a']) {
      await expect(audio!.readCheckpoint(path)).rejects.toMatchObject({
        code: 'checkpoint-missing',
      });
    }
  });

  it('says that a dataset is missing without naming the root', async () => {
    const roots = makeRoots();

    const missing = createJobFiles(roots).openDataset('more/c.txt');

    await expect(missing).rejects.toMatchObject({ code: 'dataset_invalid' });
    await expect(missing).rejects.not.toThrow(roots.data);
  });
});

describe('the cache of datasets', () => {
  it('has a copy once it is stored, and nothing of one that was discarded', async () => {
    const cache = createDatasetCache(join(temporary(), 'made'));
    const digest = `sha256:${'a'.repeat(64)}`;
    expect(await cache.open(digest, 'a.txt')).toBeUndefined();
    const discarded = await cache.create(digest);
    await discarded.append(Buffer.from('half'));
    await discarded.discard();
    expect(await cache.open(digest, 'a.txt')).toBeUndefined();

    const copy = await cache.create(digest);
    await copy.append(Buffer.from('Call me '));
    await copy.append(Buffer.from('Ishmael.'));
    await copy.keep();

    const source = await cache.open(digest, 'a.txt');
    expect(source).toMatchObject({ name: 'a.txt', size: 16 });
    expect(Buffer.from(await source!.read(8, 16)).toString()).toBe('Ishmael.');
    await source!.close();
  });
});

describe('parts', () => {
  it('are put together to the file they were cut from, each sent once', async () => {
    const bytes = new Uint8Array(2 ** 25 + 1000);
    for (let i = 0; i < bytes.length; i += 4097) bytes[i] = i % 251;
    const cut = await cutFile('weights.bin', bytes);
    await using store = await startPartStore();
    const client = createTrainingClient({ base: store.address, headers: {} });

    expect(cut.file.parts.map(({ size_bytes }) => size_bytes)).toEqual([2 ** 25, 1000]);
    expect(await sendMissingParts(client, [cut])).toBe(bytes.length);
    expect(await sendMissingParts(client, [cut])).toBe(0);
    expect(Buffer.compare(await fetchFile(client, cut.file), bytes)).toBe(0);

    store.parts.set(cut.file.parts[1]!.digest, Buffer.alloc(1000, 1));
    await expect(fetchFile(client, cut.file)).rejects.toMatchObject({ code: 'checkpoint_damaged' });
  });
});

describe('what a heartbeat carries', () => {
  const progress = { epoch: 0, step: 0, total_steps: null, percent: 0, eta_s: null };
  const point = (step: number) => ({
    step,
    seat: 0,
    time: step,
    train_loss: 1,
    valid_loss: null,
    tokens_per_s: null,
    spike_rate: null,
    learning_rate: null,
    grad_norm: null,
  });
  const advanced = (from: number, to: number) => ({
    type: 'advanced' as const,
    progress,
    points: Array.from({ length: to - from }, (_, i) => point(from + i)),
  });

  it('is bounded, in order, and keeps what could not be sent', () => {
    const pending = createPending(progress);
    pending.record(advanced(0, 700));

    const first = pending.take();
    pending.restore(first);
    const again = pending.take();
    const rest = pending.take();

    expect(first.points.map(({ step }) => step)).toEqual(Array.from({ length: 500 }, (_, i) => i));
    expect(again.points).toEqual(first.points);
    expect(rest.points.map(({ step }) => step)).toEqual(
      Array.from({ length: 200 }, (_, i) => 500 + i),
    );
  });

  it('is thinned where the service is away for long', () => {
    const pending = createPending(progress);
    for (let i = 0; i < 10; i++) pending.record(advanced(i * 1000, (i + 1) * 1000));

    const steps: number[] = [];
    while (!pending.isEmpty()) steps.push(...pending.take().points.map(({ step }) => step));

    expect(steps.length).toBeLessThanOrEqual(2000);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(9999);
    expect(steps[0]).toBeLessThan(1000);
  });

  it('says what is effective once', () => {
    const pending = createPending(progress);
    pending.record({ type: 'running', progress, effective: { seed: 1 } });

    expect(pending.take()).toMatchObject({ phase: 'running', effective: { seed: 1 } });
    expect(pending.take()).not.toHaveProperty('effective');
  });
});

describe('trying again', () => {
  it('waits ever longer up to a bound, half of it by chance', () => {
    expect([1, 2, 3, 4].map((n) => backoffMs(n, 1))).toEqual([250, 500, 1000, 2000]);
    expect(backoffMs(3, 0)).toBe(500);
    expect(backoffMs(1000, 1)).toBe(15_000);
  });

  it.each([
    [new TypeError('fetch failed'), true],
    [new DOMException('late', 'TimeoutError'), true],
    [new DOMException('stopped', 'AbortError'), false],
    [ownProblem('stale_lease', ''), false],
    [new RangeError('a bug'), false],
  ])('%s: %s', (error, expected) => {
    expect(isTransient(error)).toBe(expected);
  });
});

describe('the error of a job', () => {
  it.each([
    [new EngineError('unknown-character', 'x'), 'vocabulary_overflow'],
    [new EngineError('out-of-memory', 'x'), 'gpu_out_of_memory'],
    [new EngineError('diverged', 'x'), 'diverged'],
    [new EngineError('text-invalid', 'x'), 'dataset_invalid'],
    [Object.assign(new Error('x'), { code: 'ENOSPC' }), 'storage_full'],
    [new TypeError('x'), 'runtime_error'],
  ])('%s has the code %s', (error, code) => {
    expect(jobErrorOf(error)).toMatchObject({ code, message: 'x' });
  });

  it('reveals nothing about the folders of a machine', () => {
    const { message } = jobErrorOf(
      new Error("ENOENT: open '/home/ahab/data/a.txt' at C:\\ship\\log.txt (file:///srv/x/y.ts)"),
    );

    expect(message).toBe("ENOENT: open 'a.txt' at log.txt (y.ts)");
  });
});

describe('how often', () => {
  it('a run looks up follows how long its steps take', () => {
    const strides = createStrides();
    const after = (seconds: number) => {
      strides.took(seconds);
      return strides.length();
    };

    expect(strides.length()).toBe(1);
    expect([0.001, 0.2, 0.5, 7].map(after)).toEqual([10, 5, 2, 1]);
  });

  it.each([
    [undefined, 300, 30],
    [undefined, 5000, 100],
    [undefined, undefined, 100],
    [7, 300, 7],
  ])('reports come: asked %s, of %s steps, every %s', (asked, total, every) => {
    expect(intervalOf(asked, total)).toBe(every);
  });
});

it('reads an event stream however it is cut, and passes over comments', async () => {
  const text =
    'retry: 1000\n\n: alive\n\nid: 1\nevent: job.status\ndata: {"a":\ndata: 1}\n\ndata:x\r\n\r\n';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, 1000]) {
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size));
        controller.close();
      },
    });

    const events: unknown[] = [];
    for await (const event of readEvents(new Response(stream))) events.push(event);

    expect(events).toEqual([
      { id: '1', event: 'job.status', data: '{"a":\n1}' },
      { id: undefined, event: 'message', data: 'x' },
    ]);
  }
});
