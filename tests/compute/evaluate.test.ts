import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseReport } from '../../engine/index.ts';
import { halvedPictures, trainedClasses } from './class-models.ts';
import {
  ONE_THREAD,
  refusalOf,
  type Report,
  reportsOf,
  runSpikegrid,
  startSpikegrid,
  temporaryFolder,
  writeNovel,
} from './spikegrid-process.ts';

const folder = temporaryFolder();
const run = join(folder.path, 'run');
const dataset = writeNovel(folder.path, 1);
const base = ['evaluate', '--model', run, ...ONE_THREAD];
let validated: readonly Report[];

beforeAll(async () => {
  const { code, stdout, stderr } = await runSpikegrid(
    ...['train', '--dataset', dataset, '--output', run, '--preset', 'tiny', '--steps', '20'],
    ...['--json', ...ONE_THREAD],
  );
  expect(code, stderr).toBe(0);
  validated = reportsOf({ stdout });
});
afterAll(() => folder.remove());

describe('spikegrid evaluate', () => {
  it('prints figures of the held-out part and writes the report', async () => {
    const output = join(folder.path, 'report.json');
    const { code, stdout, stderr } = await runSpikegrid(
      ...base,
      '--data',
      dataset,
      '--output',
      output,
    );
    expect(code, stderr).toBe(0);
    const report = parseReport('report.json', readFileSync(output, 'utf8'));

    const { language, memory } = report;
    expect(report).toMatchObject({
      status: 'complete',
      total: 1221,
      data: { split: 'validation' },
    });
    expect(memory.process_peak).toBeGreaterThan(memory.parameters + memory.arena);
    expect(stdout).toContain(`${language!.nats_per_character.toFixed(4)} nats a character`);
    expect(stdout).toMatch(/1,221 tokens, 1,221 characters, 1,2\d\d bytes, in one stream/);
    expect(stdout).toMatch(/synaptic operations +[\d,]+ +[\d,]+ MAC\n/);
    expect(stdout).toMatch(
      /only below a firing rate of [\d.]+ %, before leaks and decays \(\d time steps?; roughly 6 % for six\)\. This model fires at [\d.]+ %, (below|above) it\./,
    );
    expect(stderr).toMatch(/^1221 tokens on WASM SIMD/);
  });

  it('leaves out characters that the model never saw, and says how many', async () => {
    const strange = join(folder.path, 'strange.txt');
    const text = readFileSync(dataset, 'utf8');
    writeFileSync(strange, `Ω${text.slice(0, -40)}\u{1F433}${text.slice(-40)}Ω`);
    const judge = async (data: string) => {
      const { code, stdout, stderr } = await runSpikegrid(...base, '--data', data);
      expect(code, stderr).toBe(0);
      return stdout;
    };
    const [plain, told] = [await judge(dataset), await judge(strange)];
    const figures = (out: string) => /^loss[^]*likeliest/m.exec(out)?.[0];

    expect(told).toContain('3 characters that the model does not know were left out');
    // The rest is the same text: the same figures.
    expect(figures(told)).toBe(figures(plain));
    expect(plain).not.toContain('left out');
  });

  it('gives in windows the loss that training validated, as one line of JSON', async () => {
    // A run stands for its best checkpoint, which need not be the last.
    const best = validated.toSorted((a, b) => a.val_loss - b.val_loss)[0]!;
    const last = validated.at(-1)!;
    for (const [model, { val_loss }] of [
      [run, best],
      [join(run, 'checkpoint-000020'), last],
    ] as const) {
      const judging = ['evaluate', '--model', model, '--data', dataset, '--windows', '--json'];
      const { stdout } = await runSpikegrid(...judging, ...ONE_THREAD);
      const { language } = parseReport('stdout', stdout);

      expect(language).toMatchObject({ form: 'windows', window: 32 });
      expect(language?.nats_per_token, model).toBeCloseTo(val_loss, 6);
    }
  });

  it('reports what it has done when it is stopped', async () => {
    const long = join(folder.path, 'long.txt');
    writeFileSync(long, readFileSync(dataset, 'utf8').repeat(400));
    const running = startSpikegrid([...base, '--data', long, '--split', 'all']);
    await new Promise<void>((resolve) => {
      running.process.stderr?.on('data', (text: string) => {
        if (text.includes('tokens on WASM')) resolve();
      });
    });
    running.process.kill('SIGINT');
    const { code, stdout } = await running.ended;

    expect(code).toBe(130);
    expect(stdout).toMatch(/interrupted: the first [\d,]+ of 4,8\d\d,\d\d\d\n/);
  });

  it.each<[string, string[], RegExp]>([
    ['no text', ['--data', 'nowhere.txt'], /nowhere\.txt does not exist/],
    [
      'an unknown part',
      ['--data', dataset, '--split', 'test'],
      /choices are validation, train, all/,
    ],
    ['no streams', ['--data', dataset, '--streams', '0'], /streams is 0: expected a whole number/],
  ])('refuses %s and prints nothing', async (_name, args, message) => {
    const { stdout, stderr } = await refusalOf(...base, ...args);

    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
  });
});

describe('spikegrid evaluate, of a model of pictures', () => {
  const [model, data] = [join(folder.path, 'halves'), join(folder.path, 'pictures')];
  beforeAll(async () => {
    for (const [place, files] of [
      [model, await trainedClasses('spiking_vision')],
      [data, halvedPictures(32, 10)],
    ] as const) {
      mkdirSync(place);
      for (const [name, bytes] of files) writeFileSync(join(place, name), bytes);
    }
  });
  const judging = (by: string) => ['evaluate', '--model', model, '--data', by, ...ONE_THREAD];

  it('prints accuracy, what it took for what, and energy for an image', async () => {
    const output = join(folder.path, 'pictures.json');
    const { code, stdout, stderr } = await runSpikegrid(...judging(data), '--output', output);
    expect(code, stderr).toBe(0);
    const { classification, spikes } = parseReport('pictures.json', readFileSync(output, 'utf8'));

    expect(classification).toMatchObject({ count: 10, accuracy: 1 });
    expect(stdout).toMatch(/data +pictures, validation: 10 of 42 images\n/);
    expect(stdout).toMatch(/accuracy +100\.0 % of 10, 95 % interval/);
    expect(stdout).toMatch(/ 0 +5 +0 +100\.0 %\n +1 +0 +5 +100\.0 %\n/);
    expect(stdout).toContain(`${Math.round(spikes!.per_unit)} an image of 512 neurons`);
    expect(stdout).toMatch(/with memory traffic +[\d,]+ nJ +[\d,]+ nJ\n/);
    expect(stdout).toMatch(/[\d,]+ images a second/);
  });

  it('refuses a text', async () => {
    const { stderr } = await refusalOf(...judging(dataset));

    expect(stderr).toMatch(/none of 1 files is a PNG image or an IDX file/);
  });
});
