import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, runSpikegrid, writeNovel } from './spikegrid-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'spikegrid-diagnose-'));
const dataset = writeNovel(folder, 1);
afterAll(() => rmSync(folder, { recursive: true }));

const DEVICE = ['--device', 'wasm', '--threads', '1'];
const SIZE = ['--d-model', '8', '--seq-len', '8', '--batch-size', '2'];
const parent = join(folder, 'parent');
const child = join(folder, 'child');
const jsonIn = (run: string, name: string) => JSON.parse(readFileSync(join(run, name), 'utf8'));

describe('`train --diagnose`', () => {
  let said = '';
  beforeAll(async () => {
    const rate = ['--learning-rate', '1e-7', '--steps', '20'];
    const all = ['--dataset', dataset, ...SIZE, ...rate, ...DEVICE, '--diagnose'];
    ({ stderr: said } = await runSpikegrid('train', '--output', parent, ...all));
  });

  it('names the cause with its evidence and the command of its remedy', () => {
    expect(said).toMatch(/diagnosis: the learning rate is too low: all updates together/);
    expect(said).toMatch(/train --base \S+parent --learning-rate 0\.\d+ --steps 20/);
    expect(jsonIn(parent, 'diagnosis.json')).toMatchObject({
      step: 20,
      findings: [{ cause: 'rate-too-low', remedy: { from: 'checkpoint' } }],
    });
  });

  it('writes rates of each layer and gradients of its weights', () => {
    const { layers, weights } = jsonIn(parent, 'diagnosis.json');

    expect(layers[0]).toMatchObject({ rate: expect.any(Number), dead: expect.any(Number) });
    expect(weights.map(({ gradient }: { gradient: number }) => gradient > 0)).toContain(true);
  });

  it('has a remedy that begins a run of its own and names its parent', async () => {
    const command = /train (--base .*)$/m.exec(said)![1]!.split(' ');
    const before = readFileSync(join(parent, 'config.json'), 'utf8');

    const { code, stderr } = await runSpikegrid('train', ...command, '--output', child);

    expect(code, stderr).toBe(0);
    expect(readFileSync(join(parent, 'config.json'), 'utf8')).toBe(before);
    expect(jsonIn(child, 'run.json').parent).toBe(parent);
    const { learning_rate, fields } = jsonIn(child, 'config.json');
    expect(learning_rate).toBeGreaterThan(1e-4);
    expect(fields.d_model).toBe(8);
  });

  it('begins from new weights where it is told so', async () => {
    const first = async (name: string, ...flags: string[]) => {
      const output = join(folder, name);
      const all = ['--steps', '1', '--learning-rate', '1e-9', '--output', output, ...flags];
      const { code, stderr } = await runSpikegrid('train', '--base', child, ...all);
      expect(code, stderr).toBe(0);
      const [line] = readFileSync(join(output, 'metrics.jsonl'), 'utf8').split('\n');
      return JSON.parse(line!).loss as number;
    };

    const [kept, anew] = [await first('kept'), await first('anew', '--new-weights')];

    // A novel has few characters, and the child has learned which are common.
    expect(kept).toBeLessThan(anew - 0.05);
  });

  it('says why a run diverged, unasked', async () => {
    const output = join(folder, 'diverged');
    const rate = ['--learning-rate', '100', '--steps', '60'];
    const all = ['--dataset', dataset, '--output', output, ...SIZE, ...rate, ...DEVICE];

    const { code, stderr } = await runSpikegrid('train', ...all);

    expect(code).toBe(1);
    expect(stderr).toMatch(/diagnosis: the learning rate is too high/);
    expect(stderr).toMatch(/--base \S+diverged --new-weights --learning-rate 0\.\d+ --steps 60/);
  });

  it.each([
    [['--base', parent, '--resume', parent], /--base and --resume were given: expected one/],
    [['--base', parent, '--output', parent], /--output is \S+parent, the folder of the run/],
    [['--base', folder], /--base is \S+, which has no config.json/],
    [['--new-weights', '--dataset', dataset], /--new-weights was given: expected --base with it/],
  ])('refuses %j', async (flags, message) => {
    const { stderr } = await refusalOf('train', ...flags);

    expect(stderr).toMatch(message);
  });
});
