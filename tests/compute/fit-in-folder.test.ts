import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fitInFolder, type FolderOptions } from '../../compute/runs/fit-in-folder.ts';
import { lif } from '../../engine/layers/lif.ts';
import { linear } from '../../engine/layers/dense.ts';
import { init, load } from '../../engine/layers/model.ts';
import { sequential } from '../../engine/layers/network.ts';
import { crossEntropyLoss } from '../../engine/losses/cross-entropy.ts';
import { adamW } from '../../engine/optimizers/descent.ts';
import { temporaryFolder } from './spikegrid-process.ts';

/** Two classes of points, which of both numbers is larger. */
function points(count: number) {
  const x = Float32Array.from({ length: 2 * count }, (_, i) => ((i * 7919) % 101) / 101);
  const y = Uint8Array.from({ length: count }, (_, i) => (x[2 * i]! > x[2 * i + 1]! ? 1 : 0));
  return { x, y };
}

/** Records of an event file, by their lengths. */
function recordsIn(file: Buffer): number {
  let [records, at] = [0, 0];
  for (; at < file.length; records++) at += 16 + Number(file.readBigUInt64LE(at));
  expect(at).toBe(file.length);
  return records;
}

describe('fit with a folder', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const at = (...names: string[]) => join(folder.path, 'a <b>run', ...names);
  const read = (...names: string[]) => readFileSync(at(...names), 'utf8');
  const linesOf = () =>
    read('metrics.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const options: FolderOptions = {
    loss: crossEntropyLoss(),
    optimizer: adamW(0.01),
    epochs: 3,
    validation: points(40),
    sample: points(2).x,
    tensorboard: true,
  };
  const open = () => {
    const layers = [linear(9), lif({ name: 'hidden' }), linear(2), lif()];
    return init(sequential(layers, { input: 2, steps: 5 }), { device: 'wasm', seed: 1 });
  };
  const train = async (more: Partial<FolderOptions> = {}) => {
    const model = await open();
    const history = await fitInFolder(at(), model, points(128), { ...options, ...more });
    const values = model.values.slice();
    model.close();
    return { history, values };
  };
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('writes down metrics, models, config and a report', async () => {
    const { history, values } = await train();

    const lines = linesOf();
    expect(lines.filter(({ kind }) => kind === 'train').at(-1)).toMatchObject({
      ...{
        step: history.step,
        epoch: 3,
        loss: expect.any(Number),
        learning_rate: expect.closeTo(0.01),
      },
      time: expect.any(String),
    });
    expect(lines.at(-1)).toMatchObject({
      ...{ kind: 'validation', step: history.step, accuracy: expect.any(Number) },
      rates: { hidden: expect.any(Number), 3: expect.any(Number) },
    });
    const last = await load(readFileSync(at('last.safetensors')), { device: 'wasm' });
    expect(last.values).toEqual(values);
    last.close();
    expect(JSON.parse(read('config.json'))).toMatchObject({
      fit: {
        loss: crossEntropyLoss().name,
        optimizer: { learningRate: 0.01 },
        epochs: 3,
        batchSize: 32,
      },
      data: { x: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(readdirSync(at()).toSorted()).toEqual([
      'best.json',
      'best.safetensors',
      'config.json',
      'events.out.tfevents.spikegrid',
      'last.safetensors',
      'metrics.jsonl',
      'report.html',
      'training.safetensors',
    ]);
  });

  it('escapes names of the user in its report, which runs and fetches nothing', async () => {
    await train();
    const report = read('report.html');
    expect(report).not.toContain('<b>');
    expect(report).toContain('<h1>a &lt;b&gt;run</h1>');
    expect(report).toContain('<title>hidden: spikes</title>');
    expect(report).not.toMatch(/<script|<link|<img|https?:\/\/(?!www\.w3\.org\/2000\/svg")/);
    expect(report).toContain('<h2>Confusion</h2>');
  });

  it('resumes bit by bit, and has no line twice', async () => {
    const { values } = await train({ epochs: 4 });
    const whole = linesOf().map(({ kind, step }) => [kind, step]);

    await train({ epochs: 2 });
    const { history, values: resumed } = await train({ epochs: 4, resume: true });

    expect(resumed).toEqual(values);
    expect(linesOf().map(({ kind, step }) => [kind, step])).toEqual(whole);
    expect(JSON.parse(read('config.json'))).toMatchObject({ resumed: [{ step: 8, epochs: 4 }] });
    expect(history.step).toBe(16);
    // The version, and a record of each line.
    expect(recordsIn(readFileSync(at('events.out.tfevents.spikegrid')))).toBe(whole.length + 1);
    // The second run found the first, and moved it.
    expect(readdirSync(at('earlier-1'))).toContain('report.html');
  });

  it('resumes a run that failed from its last epoch that ended', async () => {
    const { values } = await train();
    const whole = linesOf().map(({ kind, step }) => [kind, step]);

    const fails = ({ epoch }: { readonly epoch: number }) => {
      if (epoch === 2) throw new Error('the power is out');
    };
    await expect(train({ onEpoch: fails })).rejects.toThrow('the power is out');
    expect(read('report.html')).toContain('the power is out');
    const { values: resumed } = await train({ resume: true });

    expect(resumed).toEqual(values);
    expect(linesOf().map(({ kind, step }) => [kind, step])).toEqual(whole);
  });

  it('calls the callbacks of the options, one of which may stop', async () => {
    const steps: number[] = [];
    const { history } = await train({
      onReport: ({ step }) => steps.push(step),
      onEpoch: ({ epoch }) => (epoch === 2 ? 'stop' : undefined),
    });
    expect(history.ended).toBe('stopped');
    expect(steps.at(-1)).toBe(history.step);
    expect(read('report.html')).toContain(`stopped at step ${history.step}`);
  });

  it('says in its report why training failed', async () => {
    const bad = {
      loss: {
        ...crossEntropyLoss(),
        trace: () => {
          throw new Error('a <bad> loss');
        },
      },
    };
    await expect(train(bad)).rejects.toThrow('a <bad> loss');
    expect(read('report.html')).toContain('a &lt;bad&gt; loss');
  });

  it('leaves the folder as it was where options are refused', async () => {
    await train({ epochs: 1 });
    const before = readdirSync(at());
    await expect(train({ epochs: -1 })).rejects.toThrow(/fit: epochs is -1/);
    await expect(train({ loss: undefined as never })).rejects.toThrow(/loss is undefined/);
    await expect(train({ resume: new Uint8Array(99) })).rejects.toThrow(/training.safetensors/);
    expect(readdirSync(at())).toEqual(before);
  });

  it('refuses to resume where nothing ended', async () => {
    mkdirSync(at());
    await expect(train({ resume: true })).rejects.toThrow(
      /holds no training.safetensors: expected/,
    );
  });
});
