import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import { openCorpus } from '../../engine/data/corpus/open-corpus.ts';
import { blobSource, CHUNK_BYTES } from '../../engine/data/files/byte-source.ts';
import { createCharacterTokenizer } from '../../engine/data/tokenizers/character-tokenizer.ts';
import { chunkEnds, type MemorySource, memorySource, textSource } from './byte-sources.ts';
import { randomSource } from './random.ts';
import fc from 'fast-check';

/** Characters in a chunk of a scan and between its marks; tests put characters across both. */
const MARK_CHARACTERS = 1 << 14;

const utf8 = new TextEncoder();
/** Not read as Shift_JIS or EUC-JP where they are no UTF-8. */
const inUtf8 = { preparation: { encoding: 'utf-8' } } as const;
const text = fc.string({ unit: 'binary', minLength: 1 });

describe('a corpus', () => {
  it('holds the characters of any UTF-8 text, without one byte order mark at the start', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (written, hasMark) => {
        const expected = written.startsWith('\u{FEFF}') && !hasMark ? written.slice(1) : written;
        fc.pre(expected !== '');

        const corpus = await openCorpus(textSource((hasMark ? '\u{FEFF}' : '') + written));

        expect(corpus.length).toBe([...expected].length);
        expect(corpus.tokenizer.decode(await corpus.read(0, corpus.length))).toBe(expected);
      }),
    );
  });

  it('reads any range as the same range of the whole', async () => {
    const ranges = fc.tuple(text, fc.nat(), fc.nat());
    await fc.assert(
      fc.asyncProperty(ranges, async ([written, a, b]) => {
        const corpus = await openCorpus(textSource(`x${written}`));
        const [start, end] = [a, b].map((n) => n % (corpus.length + 1)).toSorted((x, y) => x - y);

        const whole = await corpus.read(0, corpus.length);
        expect(await corpus.read(start!, end!)).toEqual(whole.slice(start, end));
      }),
    );
  });

  it('has the SHA-256 of the bytes, byte order mark included, as its digest', async () => {
    const bytes = utf8.encode('\u{FEFF}call me Ishmael');

    const { digest, name } = await openCorpus(memorySource(bytes, 'moby.txt'));

    expect(digest).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(name).toBe('moby.txt');
  });

  it('reads a blob as a browser gives it', async () => {
    const corpus = await openCorpus(blobSource(new Blob(['é', '日本', '\n']), 'dropped.txt'));

    expect(corpus.name).toBe('dropped.txt');
    expect(corpus.tokenizer.decode(await corpus.read(1, 3))).toBe('日本');
  });

  it('numbers its tokens with a given tokenizer', async () => {
    const tokenizer = createCharacterTokenizer('abc');

    const corpus = await openCorpus(textSource('cab'), { tokenizer });

    expect(corpus.tokenizer).toBe(tokenizer);
    expect([...(await corpus.read(0, 3))]).toEqual([2, 0, 1]);
  });
});

describe('a corpus of several chunks', () => {
  const from = randomSource(11);
  // The first and the last code point of every length in UTF-8, but the last of all; and a mark inside.
  const lengths = [
    '\0',
    '\u{7F}',
    '\u{80}',
    '\u{7FF}',
    '\u{800}',
    '\u{FFFF}',
    '\u{10000}',
    '\u{1F600}',
  ];
  const letters = ['a', ' ', '\n', '日', '\u{301}', '\u{FEFF}', ...lengths];
  const written = Array.from(from.integers(1_250_000, letters.length), (i) => letters[i]).join('');
  let source: MemorySource;
  let corpus: Corpus;
  let whole: Uint32Array;
  beforeAll(async () => {
    source = textSource(`\u{FEFF}${written}`);
    corpus = await openCorpus(source);
    whole = corpus.tokenizer.encode(written);
  });

  it('is scanned in exact ranges from the first byte to the last, each once', () => {
    const edges = [0, ...source.reads.map(([, end]) => end)];

    expect(source.reads.map(([start]) => start)).toEqual(edges.slice(0, -1));
    expect(edges).toEqual([0, ...chunkEnds(source.size)]);
    expect(corpus.length).toBe(whole.length);
  });

  it('reads any range as the same range of the whole, marks and their neighbours first', async () => {
    const mark = fc
      .tuple(fc.nat(Math.floor(whole.length / MARK_CHARACTERS)), fc.integer({ min: -2, max: 2 }))
      .map(([n, beside]) => Math.max(0, Math.min(whole.length, n * MARK_CHARACTERS + beside)));
    const place = fc.oneof(mark, fc.nat(whole.length));
    const length = fc.oneof(fc.nat(70), fc.nat(3 * MARK_CHARACTERS));
    await fc.assert(
      fc.asyncProperty(place, length, async (start, count) => {
        const end = Math.min(whole.length, start + count);
        expect(await corpus.read(start, end)).toEqual(whole.slice(start, end));
      }),
    );
  });

  it('reads no more than the range and what lies between the marks around it', async () => {
    const aligned = '日'.repeat(2 * MARK_CHARACTERS);
    const even = textSource(aligned);
    const three = await openCorpus(even);
    const bytesOf = async (start: number, end: number) => {
      even.reads.length = 0;
      await three.read(start, end);
      return even.reads.reduce((sum, [first, last]) => sum + last - first, 0);
    };

    expect(await bytesOf(MARK_CHARACTERS, 2 * MARK_CHARACTERS)).toBe(3 * MARK_CHARACTERS);
    expect(await bytesOf(MARK_CHARACTERS - 1, MARK_CHARACTERS)).toBe(3 * MARK_CHARACTERS);
    expect(await bytesOf(MARK_CHARACTERS - 1, MARK_CHARACTERS + 1)).toBe(6 * MARK_CHARACTERS);
    expect(await bytesOf(2 * MARK_CHARACTERS, 2 * MARK_CHARACTERS)).toBe(0);
  });

  // Two- to four-byte characters, shifted so that every one of their inner edges meets the chunk's.
  it.each(
    ['é', '日', '\u{1F600}'].flatMap((character) =>
      [0, 1, 2, 3].map((shift) => [character, shift] as const),
    ),
  )('keeps %s whole across the edge of a chunk, shifted by %i bytes', async (character, shift) => {
    const bytes = utf8.encode(character).length;
    const count = Math.ceil(CHUNK_BYTES / bytes) + 10;

    const opened = await openCorpus(textSource('x'.repeat(shift) + character.repeat(count)));

    expect(opened.length).toBe(shift + count);
    const expected = 'x'.repeat(shift) + character.repeat(count);
    expect(opened.tokenizer.decode(await opened.read(0, opened.length)) === expected).toBe(true);
  });

  it('reports its progress, and stops when it is aborted', async () => {
    const bytes: number[] = [];
    await openCorpus(source, { onProgress: (n) => bytes.push(n) });
    expect(bytes).toEqual(chunkEnds(source.size));

    const stop = new AbortController();
    const stopped = openCorpus(source, {
      onProgress: () => stop.abort(new Error('enough')),
      signal: stop.signal,
    });
    await expect(stopped).rejects.toThrow('enough');
  });
});

describe('a corpus refuses', () => {
  it.each([
    ['no bytes', ''],
    ['a byte order mark alone', '\u{FEFF}'],
  ])('%s, naming the text', async (_, written) => {
    await expect(openCorpus(textSource(written, 'notes.txt'))).rejects.toMatchObject({
      code: 'text-too-short',
      message: 'notes.txt is empty: expected text to learn from',
    });
  });

  it('bytes exactly when they are not UTF-8, naming bytes', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 1 }),
      fc
        .tuple(fc.string({ unit: 'binary' }), fc.uint8Array({ minLength: 1, maxLength: 3 }))
        .map(([written, tail]) => Uint8Array.from([...utf8.encode(written), ...tail])),
    );
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(bytes, async (given) => {
        // One character more, so that no text is empty.
        const padded = Uint8Array.from([...given, 0x20]);
        const outcome = await openCorpus(memorySource(padded, 'given'), inUtf8).then(
          () => 'accepted',
          (error: Error) => error.message,
        );
        const expected = isUtf8(padded)
          ? /^accepted$/
          : /^given is not UTF-8 text: bytes \d+ to \d+ cannot be decoded$/;
        expect(outcome).toMatch(expected);
        refused += outcome === 'accepted' ? 0 : 1;
      }),
    );
    // Of 100 texts; both happen.
    expect(refused).toBeGreaterThan(20);
    expect(refused).toBeLessThan(90);
  });

  it.each([
    ['a lone continuation', [0x80], 5],
    ['an overlong slash', [0xc0, 0xaf], CHUNK_BYTES + 7],
    ['half a surrogate pair', [0xed, 0xa0, 0x80], CHUNK_BYTES - 1],
    ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80], CHUNK_BYTES - 3],
    ['UTF-16', [0xff, 0xfe], 0],
  ])('%s, naming a range of bytes that holds it', async (_, bad, at) => {
    const bytes = new Uint8Array(2 * CHUNK_BYTES).fill(0x20);
    bytes.set(bad, at);

    const { first, last } = await refusedRange(bytes);

    expect(first).toBeLessThanOrEqual(at);
    expect(last).toBeGreaterThanOrEqual(at);
    expect(last - first).toBeLessThanOrEqual(CHUNK_BYTES + 3);
  });

  it('a text cut off inside its last character, naming its last bytes', async () => {
    const bytes = utf8.encode('text \u{1F600}').slice(0, -1);

    expect(await refusedRange(bytes)).toEqual({ first: 5, last: 8 });
  });

  it('a character that a given tokenizer lacks, named with its code point and position', async () => {
    const tokenizer = createCharacterTokenizer('ab\u{1F600}');
    const tail = 'a'.repeat(CHUNK_BYTES);

    await expect(
      openCorpus(textSource(`\u{FEFF}\u{1F600}${tail}ß`), { tokenizer }),
    ).rejects.toMatchObject({
      code: 'unknown-character',
      message: `the character "ß" (U+00DF) at position ${CHUNK_BYTES + 1} is not in the model's alphabet`,
    });
  });
});

/** The bytes that the refusal of a text names. */
async function refusedRange(bytes: Uint8Array): Promise<{ first: number; last: number }> {
  const message = await openCorpus(memorySource(bytes, 'bad.txt'), inUtf8).then(
    () => 'accepted',
    (error: Error) => error.message,
  );
  const named = /^bad\.txt is not UTF-8 text: bytes (\d+) to (\d+) cannot be decoded$/.exec(
    message,
  );
  if (!named) throw new Error(`expected a refusal that names bytes, got: ${message}`);
  return { first: Number(named[1]), last: Number(named[2]) };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
