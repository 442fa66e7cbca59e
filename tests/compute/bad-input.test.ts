import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ONE_THREAD,
  refusalOf,
  runSpikegrid,
  startSpikegrid,
  temporaryFolder,
  writeNovel,
} from './spikegrid-process.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
let novel: string;

beforeAll(async () => {
  novel = writeNovel(folder.path, 4);
  writeFileSync(at('empty.txt'), '');
  writeFileSync(at('short.txt'), 'Call me Ishmael.');
  writeFileSync(at('latin1.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x61, 0x75]));
  writeFileSync(at('other.txt'), readFileSync(novel, 'utf8').replace('Ishmael', 'Ahab'));
  // One report, hence one checkpoint: the best and the last are the same.
  const steps = ['--steps', '2', '--report-every', '2'];
  const { code, stderr } = await train('--output', at('run'), ...steps);
  expect(code, stderr).toBe(0);
});
afterAll(() => folder.remove());

const TINY = ['--preset', 'tiny'];
const train = (...args: string[]) =>
  runSpikegrid('train', '--dataset', novel, ...TINY, ...ONE_THREAD, ...args);

describe('bad input to train names the value and what was expected, and writes nothing', () => {
  it.each<[string, string[], RegExp]>([
    ['an empty text', ['--dataset', 'empty.txt'], /empty\.txt is empty: expected text/],
    [
      'a text shorter than a sequence',
      ['--dataset', 'short.txt'],
      /short\.txt has 16 characters: seq_len 32 needs at least 321/,
    ],
    [
      'a text that is not UTF-8',
      ['--dataset', 'latin1.txt'],
      /latin1\.txt is not a text in UTF-8 \(up to byte 3\), Shift_JIS/,
    ],
    ['no such text', ['--dataset', 'absent.txt'], /absent\.txt does not exist/],
    [
      'a folder with something in it that is no text',
      ['--dataset', '.'],
      /latin1\.txt is not a text in UTF-8/,
    ],
    [
      'a size for a vocabulary of characters',
      ['--vocab-size', '500'],
      /--vocab-size is 500: expected --tokenizer bpe with it/,
    ],
    [
      'a width the heads do not divide',
      ['--d-model', '30', '--heads', '4'],
      /d_model 30 is not divisible by 4 heads: expected a multiple of 4/,
    ],
    [
      'an unknown device',
      ['--device', 'tpu'],
      /unknown device "tpu": expected auto, webgpu, wasm, reference/,
    ],
    ['no batch', ['--batch-size', '0'], /batch_size is 0: expected a whole number of at least 1/],
    [
      'a batch that takes more memory than there is',
      ['--batch-size', '1000000', '--device', 'wasm'],
      /batch_size 1000000 makes the run need [\d.]+ [GT]iB: .+ has [\d.]+ [MG]iB free, into which batch_size \d+ fits/,
    ],
    [
      'a run that takes more than it may',
      ['--d-model', '512', '--memory', '0.01', '--device', 'wasm'],
      /d_model 512 makes the run need .+: --memory has 10\.2 MiB free, into which d_model \d+ fits/,
    ],
    [
      'more threads than any machine has processors for',
      ['--threads', '100000'],
      /threads is 100000: expected a whole number from 1 to \d+/,
    ],
    ['half a step', ['--steps', '1.5'], /steps is 1\.5: expected a whole number/],
    ['two budgets', ['--steps', '5', '--minutes', '1'], /--steps and --minutes were given/],
    ['a rate that is no number', ['--learning-rate', 'fast'], /got "fast", expected a number/],
    [
      'an unknown preset',
      ['--preset', 'huge'],
      /Allowed choices are auto, tiny, small, base, large/,
    ],
    ['a checkpoint that is not there', ['--resume', 'absent'], /absent does not exist/],
    [
      'another structure than the checkpoint has',
      ['--resume', 'run', '--d-model', '64'],
      /d_model is 32 in the checkpoint but 64 was given/,
    ],
    [
      'another text than the checkpoint learned',
      ['--dataset', 'other.txt', '--resume', 'run'],
      /trained on moby-dick\.txt \(sha256 .*\), but other\.txt has the sha256/,
    ],
  ])('%s', async (_name, args, message) => {
    const files = new Set([
      'empty.txt',
      'short.txt',
      'latin1.txt',
      'absent.txt',
      '.',
      'other.txt',
      'absent',
      'run',
    ]);
    const before = readdirSync(folder.path);
    const resolved = args.map((arg) => (files.has(arg) ? at(arg) : arg));
    const output = args.includes('--resume') ? [] : ['--output', at('unwanted')];
    const asked = ['--dataset', novel, ...TINY, ...output, ...resolved];
    const { stdout, stderr } = await refusalOf('train', ...asked);

    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stdout).toBe('');
    expect(readdirSync(folder.path)).toEqual(before);
  });

  it.each([
    [
      'a text',
      ['--dataset', at('empty.txt')],
      /^spikegrid: .*empty\.txt is empty: expected text to learn from\n$/,
    ],
    ['a flag', ['--preset', 'huge'], /^error: .* Allowed choices are auto, tiny, .*\n$/],
  ])('as a process ends with 1 for %s', async (_what, args, message) => {
    const { code, stdout, stderr } = await train('--output', at('unwanted'), ...args);

    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('a learning rate that makes the loss diverge leaves the last good checkpoint', async () => {
    const { code, stderr } = await train(
      ...[
        '--output',
        at('diverged'),
        '--learning-rate',
        '1e6',
        '--steps',
        '40',
        '--report-every',
        '1',
        // With tables the gradient may be no number before the loss is, which is said in other words.
        '--ngram-order',
        '0',
      ],
    );

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /the loss is (NaN|Infinity) at step \d+: learning_rate 1000000 is too high/,
    );
    expect(stderr).toMatch(/the best checkpoint of \S+, of step \d+, is intact/);
    expect(stderr).not.toContain('--resume');
  });

  it('a learning rate whose losses are numbers and far above guessing ends the run, too', async () => {
    const steps = ['--steps', '400', '--report-every', '10', '--learning-rate', '10'];
    const { code, stderr } = await train('--output', at('far'), ...steps);

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /nats, where guessing costs \d\.\d\d, and was far above it for \d+ steps/,
    );
    // The best checkpoint stays, and the run is used by it.
    const { step } = JSON.parse(readFileSync(at('far/best.json'), 'utf8'));
    const inspected = await runSpikegrid('inspect', at('far'));
    expect([inspected.code, inspected.stdout]).toEqual([
      0,
      expect.stringContaining(`step ${step}`),
    ]);
  });
});

describe('a damaged checkpoint is refused by name', () => {
  it.each<[string, (file: string) => void, RegExp]>([
    ['cut off', (file) => truncateSync(file, 5000), /model\.safetensors has 5000 bytes, expected/],
    ['altered', (file) => flipByte(file, 6000), /model\.safetensors was altered: its sha256 is/],
  ])('%s', async (name, damage, message) => {
    cpSync(at('run'), at(name), { recursive: true });
    damage(join(at(name), 'checkpoint-000002', 'model.safetensors'));

    for (const command of [
      ['generate', '--model', at(name)],
      ['inspect', at(name)],
      ['train', '--dataset', novel, '--resume', at(name)],
    ]) {
      const { stderr, stdout } = await refusalOf(...command);
      expect(stderr, command[0]).toMatch(message);
      expect(stdout).toBe('');
    }
  });
});

describe('a full disk', () => {
  // A file system in a mount namespace of its own; not every machine allows that.
  const inSmallDisk = (kibibytes: number, command: string) => [
    ...['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c'],
    `mount -t tmpfs -o size=${kibibytes}k none ${at('disk')} && ${command}`,
    'sh',
  ];
  const isAllowed = (() => {
    spawnSync('mkdir', ['-p', at('disk')]);
    const [file = '', ...args] = inSmallDisk(64, 'true');
    return spawnSync(file, args).status === 0;
  })();

  it.skipIf(!isAllowed)('ends the run with the earlier checkpoint intact', async () => {
    // In pages of 4 KiB: room for one such checkpoint and what is written beside it, not for a report or a second one.
    const whole = join(at('run'), 'checkpoint-000002');
    const pages = readdirSync(whole).map((name) =>
      Math.ceil(statSync(join(whole, name)).size / 4096),
    );
    const kibibytes = 4 * (pages.reduce((sum, some) => sum + some, 0) + 8);
    // The checkpoint is copied out of the namespace before it goes.
    const wrapper = inSmallDisk(
      kibibytes,
      `"$@"; code=$?; cp -r ${at('disk')}/run ${at('kept')}; exit $code`,
    );
    const args = [
      ...['train', '--dataset', novel, '--output', at('disk/run'), '--steps', '2', ...TINY],
      ...['--report-every', '1', ...ONE_THREAD],
    ];
    const { code, stderr } = await startSpikegrid(args, wrapper).ended;

    expect(code).toBe(1);
    expect(stderr).toMatch(/the disk is full: a checkpoint of \d+ bytes does not fit into/);
    expect(readdirSync(at('kept')).toSorted()).toEqual([
      'best.json',
      'checkpoint-000001',
      'config.json',
      'metrics.jsonl',
      'run.json',
    ]);
    const { code: inspected } = await runSpikegrid('inspect', at('kept'));
    expect(inspected).toBe(0);
  });
});

function flipByte(file: string, position: number): void {
  const bytes = readFileSync(file);
  bytes[position]! ^= 1;
  writeFileSync(file, bytes);
}
