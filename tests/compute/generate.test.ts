import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ONE_THREAD,
  refusalOf,
  runSpikegrid,
  temporaryFolder,
  writeNovel,
} from './spikegrid-process.ts';

const folder = temporaryFolder();
const run = join(folder.path, 'run');
beforeAll(async () => {
  const dataset = writeNovel(folder.path, 4);
  const { code, stderr } = await runSpikegrid(
    ...['train', '--dataset', dataset, '--output', run, '--preset', 'tiny'],
    ...['--steps', '20', ...ONE_THREAD],
  );
  expect(code, stderr).toBe(0);
});
afterAll(() => folder.remove());

describe('spikegrid generate', () => {
  it('goes on from the prompt, with the same text for the same seed', async () => {
    const args = ['--model', run, '--prompt', 'Call me ', '--tokens', '40', '--seed', '3'];
    const first = await runSpikegrid('generate', ...args);
    const second = await runSpikegrid('generate', ...args);
    const other = await runSpikegrid('generate', ...args, '--seed', '4');

    expect(first.stdout).toMatch(/^Call me /);
    expect([...first.stdout.trimEnd()].length).toBeLessThanOrEqual('Call me '.length + 40);
    expect(second.stdout).toBe(first.stdout);
    expect(other.stdout).not.toBe(first.stdout);
  });

  it('prints the text and its speed as JSON', async () => {
    const { stdout } = await runSpikegrid(
      ...['generate', '--model', run, '--prompt', 'Whale', '--tokens', '12', '--json'],
    );
    const result = JSON.parse(stdout);

    expect(result).toMatchObject({ prompt: 'Whale', tokens: 12 });
    expect([...result.text]).toHaveLength(12);
    expect(result.tokens_per_s).toBeGreaterThan(0);
  });

  it('always takes the likeliest character at temperature 0', async () => {
    const args = ['--model', run, '--prompt', 'the', '--tokens', '30', '--temperature', '0'];
    const first = await runSpikegrid('generate', ...args, '--seed', '1');
    const second = await runSpikegrid('generate', ...args, '--seed', '2');

    expect(second.stdout).toBe(first.stdout);
  });

  it.each<[string, string[], RegExp]>([
    [
      'a character it never saw',
      ['--prompt', 'naïve 鯨'],
      /"ï" \(U\+00EF\) at position 2 is not in/,
    ],
    [
      'a negative temperature',
      ['--temperature', '-1'],
      /temperature is -1: expected 0 or a positive/,
    ],
    [
      'an impossible share',
      ['--top-p', '1.5'],
      /top_p is 1\.5: expected a number above 0, up to 1/,
    ],
  ])('refuses %s and prints nothing', async (_name, args, message) => {
    const { stdout, stderr } = await refusalOf('generate', '--model', run, ...args);

    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
  });
});

describe('spikegrid inspect', () => {
  it('shows the structure, where it learned and that all digests match', async () => {
    const { stdout } = await runSpikegrid('inspect', run);

    expect(stdout).toContain('dense_chronospike');
    expect(stdout).toContain('all digests match');
    expect(stdout).toMatch(/step 20 of \{"kind":"steps","steps":20\}/);
    expect(stdout).toContain('learned from moby-dick.txt');
  });

  it('prints the memory plan: tensors, offsets and the size of the arena', async () => {
    const { stdout } = await runSpikegrid('inspect', run, '--plan');

    expect(stdout).toMatch(/program train: \d+ kernel calls, \d+ tensors in the arena/);
    expect(stdout).toMatch(/^\s+\d+\s+\d+\s+\d+-\d+ {2}gradient of qkv f32\[2, 256, 96\]$/m);
    expect(stdout).toMatch(/arena \d+ bytes; live at the peak \d+; without sharing \d+/);
  });
});
