import { once } from 'node:events';
import { kernels } from '../../engine/kernels/kernels.ts';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import type { Program } from '../../engine/graph/program.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { noParameters } from './play.ts';

/** Every thread that this process starts: one of them dies in a test. */
const started: Worker[] = [];
const note = (worker: Worker) => void started.push(worker);
process.on('worker', note);
afterAll(() => void process.off('worker', note));

/** Fills a tensor, and writes beyond it where `count` is larger than the tensor. */
function fillProgram(count: number): { program: Program; target: Tensor } {
  const graph = new Graph('fill', noParameters);
  const target = graph.local('target', 'f32', [1000]);
  graph.call(kernels.fill, { target }, { count, value: 1 });
  return { program: graph.build(), target };
}

const open = () => openWasmBackend({ threads: 2, sharedFrom: 0 });

describe('the threads of a WASM player', () => {
  it('that die end it: nothing plays or waits any more, and the loss is reported', async () => {
    const backend = await open();
    const { program, target } = fillProgram(1000);
    const player = await backend.load(noParameters, [program]);
    player.play(program);
    expect(await player.read(target)).toEqual(new Float32Array(1000).fill(1));

    await started.at(-1)!.terminate();

    expect(await backend.lost).toBe('the WASM backend stopped: a thread ended: exit code 1');
    const gone = expect.objectContaining({ code: 'device-lost' });
    expect(() => player.play(program)).toThrow(gone);
    await expect(player.read(target)).rejects.toEqual(gone);
    player.close();
  });

  it.each([1, 2])('%i of them report a trap with its reason', async (threads) => {
    const backend = await openWasmBackend({ threads, sharedFrom: 0 });
    const { program } = fillProgram(2 ** 28);
    const player = await backend.load(noParameters, [program]);

    const play = () => {
      player.play(program);
      return player.settled();
    };

    await expect(async () => play()).rejects.toMatchObject({
      code: 'device-lost',
      message: expect.stringMatching(
        /^the WASM backend stopped: (memory access out of bounds|a thread)/,
      ),
    });
    await expect(async () => play()).rejects.toMatchObject({ code: 'device-lost' });
    player.close();
  });

  it('end with it, and leave the loss of the backend untold', async () => {
    const backend = await open();
    const { program } = fillProgram(10);
    const player = await backend.load(noParameters, [program]);
    const thread = started.at(-1)!;
    const ended = new Promise((resolve) => thread.once('exit', resolve));

    player.close();

    await ended;
    const untold = Promise.race([backend.lost, Promise.resolve('untold')]);
    expect(await untold).toBe('untold');
  });

  it('are as many as requested, and at least one', async () => {
    for (const threads of [0, 1.5, Number.NaN]) {
      await expect(openWasmBackend({ threads })).rejects.toMatchObject({
        code: 'invalid-setting',
        message: expect.stringMatching(/^threads is \S+: expected a whole number from 1 to \d+$/),
      });
    }
    const before = started.length;
    const { program } = fillProgram(10);
    const player = await (await openWasmBackend({ threads: 4 })).load(noParameters, [program]);
    expect(started.length - before).toBe(3);
    player.close();
  });
});

describe('a thread that may not sleep, as that of a window', () => {
  afterEach(() => vi.restoreAllMocks());

  it('looks until the others are through', async () => {
    vi.spyOn(Atomics, 'wait').mockImplementation(() => {
      throw new TypeError('Atomics.wait cannot be called in this context');
    });
    vi.resetModules();
    const { controlWords, startOthers } = await import('../../engine/backends/wasm/schedule.ts');
    const words = new Int32Array(new SharedArrayBuffer(4 * controlWords(1, 2)));
    // Two plays have begun, and the other thread is still in the first.
    const [EPOCH, INSIDE] = [0, 8];
    words[EPOCH] = 2;
    words[INSIDE + 1] = 1;
    const leaves = `const { workerData: words, parentPort } = require('node:worker_threads');
      parentPort.once('message', () => setTimeout(() => Atomics.store(words, ${INSIDE + 1}, 0), 60));
      parentPort.postMessage('ready');`;
    const other = new Worker(leaves, { eval: true, workerData: words });
    await once(other, 'message');
    other.postMessage('go', []);

    expect(startOthers({ words, threads: 2 }, 0, 1)).toBe(3);
    expect(words[INSIDE + 1]).toBe(0);
    await other.terminate();
  });
});
