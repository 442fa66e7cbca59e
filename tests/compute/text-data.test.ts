import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSpikegrid } from './spikegrid-process.ts';

/** Lines as Aozora Bunko marks them up, and what is left of them in NFKC. */
const MARKED = '峠《とうげ》の駅に、１２両の汽車。\r\n'.repeat(300);
const PLAIN = '峠の駅に、12両の汽車。\n'.repeat(300);

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spikegrid-text-'));
  writeFileSync(at('work.txt'), Buffer.from(`\u{FEFF}${MARKED}`, 'utf16le'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const READING = ['--aozora', '--normalise', 'nfkc', '--tokenizer', 'bpe', '--vocab-size', '300'];

describe('a Japanese text from the command line', () => {
  it('is described by data inspect: encoding, characters, what filters removed, tokens', async () => {
    const { stdout, stderr } = await runSpikegrid(
      'data',
      'inspect',
      at('work.txt'),
      ...READING,
      '--json',
    );

    const characters = PLAIN.length;
    expect(stderr).toBe('');
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      files: [{ name: 'work.txt', encoding: 'utf-16le' }],
      characters,
      distinct: new Set(PLAIN).size,
      lines: 300,
      filters: [
        { filter: 'aozora', taken: MARKED.length },
        { filter: 'normalise', given: characters },
      ],
      tokenizer: { kind: 'bpe' },
    });
    expect(report.tokens).toBeGreaterThan(0);
    expect(report.filters[0].given).toBe(report.filters[1].taken);
  });

  it('is trained on in tokens of bytes, and gone on with as it was read, without saying how again', async () => {
    const train = (...flags: string[]) =>
      runSpikegrid('train', '--dataset', at('work.txt'), '--threads', '1', '--json', ...flags);

    const tiny = ['--preset', 'tiny', '--steps', '20'];
    const first = await train(...READING, '--output', at('run'), ...tiny);
    const second = await train('--resume', at('run'), '--steps', '30');

    expect(first.code, first.stderr).toBe(0);
    expect(second.code, second.stderr).toBe(0);
    const { step, val_loss, loss_per_character } = JSON.parse(
      second.stdout.trim().split('\n').at(-1) ?? '',
    );
    expect(step).toBe(30);
    // The tokens lay in a file without a name.
    for (const name of readdirSync(at('run'))) {
      expect(name).toMatch(
        /^(checkpoint-0000\d\d|metrics\.jsonl|best\.json|run\.json|config\.json|report\.html)$/,
      );
    }
    expect(loss_per_character).not.toBe(val_loss);
  });
});
