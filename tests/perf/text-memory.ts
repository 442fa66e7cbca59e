import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { randomSource } from '../engine/random.ts';
import { note, report } from './report.ts';
import type { TextMemory } from './text-memory-process.ts';

/**
 * The resident set of opening a large generated text and drawing windows from all over it, against that of a
 * small one, in each of the ways a text can be read. Run by hand:
 * `text-memory.ts [--small 1] [--large 64] [--way plain,filtered,bpe,train]`, sizes in MB; a gigabyte takes minutes.
 * `train` is the command itself, 200 steps of the preset tiny.
 */
/** Eight segments of a million tokens are held, and what decoding one takes. */
const TARGET_MB = 128;
const MEGABYTE = 1e6;
const WAYS = ['plain', 'filtered', 'bpe', 'train'] as const;

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '1' },
    large: { type: 'string', default: '64' },
    way: { type: 'string', default: WAYS.join(',') },
    folder: { type: 'string', default: tmpdir() },
  },
});
const run = promisify(execFile);
const script = fileURLToPath(new URL('text-memory-process.ts', import.meta.url));
const training = fileURLToPath(new URL('text-training-process.ts', import.meta.url));
const folder = await mkdtemp(join(values.folder, 'spikegrid-text-'));

/** Words that come again and again, and in how many of a hundred places another one is made up. */
const POOL_WORDS = 50_000;
const NEW_SHARE = 2;

/** Sentences of words, a few of which are new in every block: a larger text has more different ones. */
async function write(path: string, megabytes: number): Promise<void> {
  const utf8 = new TextEncoder();
  const file = await open(path, 'w');
  const from = randomSource(megabytes);
  const pool = Array.from(from.integers(POOL_WORDS, 40), (pick) => wordOf(pick, from));
  for (let bytes = 0; bytes < megabytes * MEGABYTE;) {
    const kinds = from.integers(30_000, 100);
    const places = from.integers(30_000, POOL_WORDS);
    const words = Array.from(places, (place, i) => {
      const kind = kinds[i] ?? 0;
      return kind < NEW_SHARE ? wordOf(place % 40, from) : pool[place];
    });
    const block = utf8.encode(words.join(''));
    await file.write(block);
    bytes += block.length;
  }
  await file.close();
}

const SYLLABLES = [...'kasutenohamiyoru'.matchAll(/../g)].map(([pair]) => pair);
const KANA = [...'かすてのはみよるきしちにひりけせ'];
const KANJI = [...'山川雨駅夜時計海空風火月日木金土'];
const MARKS = ['。\n', '、', ' ', '.\n', '《えき》', '１２'];

function wordOf(pick: number, from: ReturnType<typeof randomSource>): string {
  const spell = (letters: readonly string[], count: number) =>
    Array.from(from.integers(count, letters.length), (i) => letters[i]).join('');
  if (pick < 8) return MARKS[pick % MARKS.length] ?? '';
  if (pick < 20) return ` ${spell(SYLLABLES, 1 + (pick % 8))}`;
  return pick < 30 ? spell(KANA, 1 + (pick % 16)) : spell(KANJI, 1 + (pick % 3));
}

async function measure(path: string, way: string): Promise<TextMemory> {
  const { stdout } = await run(process.execPath, [script, path, way]);
  return JSON.parse(stdout) as TextMemory;
}

async function train(path: string): Promise<number> {
  const output = await mkdtemp(join(folder, 'run-'));
  const { stdout } = await run(process.execPath, [training, path, output]);
  return (JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as TextMemory).peakBytes;
}

/** The resident set of reading a text in one of the ways, said in words as well. */
async function read(path: string, way: string): Promise<number> {
  const { bytes, characters, tokens, seconds, peakBytes } = await measure(path, way);
  note(
    `${way}, ${bytes} bytes: ${characters} characters, ${tokens} tokens, ` +
      `${inMegabytes(peakBytes)} resident at most, ${seconds.toFixed(1)} s`,
  );
  return peakBytes;
}

const inMegabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(0)} MB`;

try {
  const sizes = { small: Number(values.small), large: Number(values.large) };
  for (const [name, megabytes] of Object.entries(sizes)) await write(join(folder, name), megabytes);
  for (const way of values.way.split(',')) {
    const peakOf = (name: string) =>
      way === 'train' ? train(join(folder, name)) : read(join(folder, name), way);
    const small = await peakOf('small');
    const large = await peakOf('large');
    note(`${way}: ${inMegabytes(small)} and ${inMegabytes(large)} resident at most`);
    report({
      name: `resident set of ${sizes.large} MB more than of ${sizes.small} MB of text, ${way}`,
      value: (large - small) / MEGABYTE,
      unit: 'MB',
      target: TARGET_MB,
      better: 'lower',
    });
  }
} finally {
  await rm(folder, { recursive: true });
}
