import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHUNK_BYTES } from '../../engine/data/files/byte-source.ts';
import type { Corpus, CorpusOptions } from '../../engine/data/corpus/corpus.ts';
import { openCorpus } from '../../engine/data/corpus/open-corpus.ts';
import { openBlobStore } from '../../engine/data/corpus/token-store.ts';
import { chunkEnds, memorySource, textSource } from './byte-sources.ts';
import { japaneseEncoder } from './japanese-bytes.ts';
import { markedWork, plainWork } from './japanese-work.ts';
import { anyCharacter } from './text-parts.ts';

const utf8 = new TextEncoder();
const bpe = { kind: 'bpe', vocabulary: 300 } as const;

const textOf = async (corpus: Corpus) =>
  corpus.tokenizer.decode(await corpus.read(0, corpus.length));
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

describe('a text of any source', () => {
  const shiftJis = japaneseEncoder('shift_jis');
  const eucJp = japaneseEncoder('euc-jp');
  const utf16 = (text: string) =>
    new Uint8Array(Uint16Array.from(`\u{FEFF}${text}`, (c) => c.charCodeAt(0)).buffer);
  const marked = markedWork(60);

  it.each([
    ['utf-8', utf8.encode(marked)],
    ['shift_jis', shiftJis(marked)],
    ['euc-jp', eucJp(marked)],
    ['utf-16le', utf16(marked)],
  ])('reads the same in %s, without mark-up and in NFKC', async (encoding, bytes) => {
    const source = memorySource(bytes, 'work.txt');

    const corpus = await openCorpus(source, { preparation: { aozora: true, normalise: 'nfkc' } });

    expect(await textOf(corpus)).toBe(plainWork(60));
    expect(corpus.encodings).toEqual([encoding]);
    expect(corpus.characters).toBe([...plainWork(60)].length);
    expect(corpus.distinct).toBe(new Set(plainWork(60)).size);
    expect(corpus.digest).toBe(sha256(bytes));
  });

  it('is read in the given encoding, and reports the first byte invalid in it', async () => {
    const source = memorySource(shiftJis(marked), 'work.txt');

    const named = await openCorpus(source, { preparation: { encoding: 'shift_jis' } });

    expect(await textOf(named)).toBe(marked);
    await expect(openCorpus(source, { preparation: { encoding: 'euc-jp' } })).rejects.toThrow(
      /^work.txt is not euc-jp text: byte \d+ \([0-9A-F]{2}\) cannot be decoded$/,
    );
  });

  it('of several files is one text, a line break between them, each in its own encoding', async () => {
    const bytes = [
      utf8.encode('first'),
      shiftJis('二つ目の、ファイルです。\n'),
      utf8.encode('third\n'),
    ];
    const sources = bytes.map((one, i) => memorySource(one, `${i}.txt`));

    const corpus = await openCorpus(sources);

    expect(await textOf(corpus)).toBe('first\n二つ目の、ファイルです。\nthird\n');
    expect(corpus.name).toBe('0.txt and 2 more');
    expect(corpus.encodings).toEqual(['utf-8', 'shift_jis', 'utf-8']);
    expect(corpus.digest).toBe(sha256(bytes.map(sha256).join('\n')));
  });

  it('of JSONL is its texts, or prompts with their completions, each without its own mark-up', async () => {
    const lines = [
      { text: markedWork(2) },
      { prompt: '問い：', completion: '答え《こたえ》' },
      { text: 'end' },
    ];
    const source = textSource(lines.map((line) => JSON.stringify(line)).join('\n\n'), 'a.jsonl');

    const corpus = await openCorpus(source, { preparation: { aozora: true, normalise: 'nfkc' } });

    expect(await textOf(corpus)).toBe(`${plainWork(2)}\n問い:答え\nend`);
  });

  it.each([
    ['{"text": "a"}\n{"text": 5}', 'line 2: its "text" is 5: expected a string'],
    [
      '{"text": "a"}\n\n{"prompt": "a"}',
      'line 3: it has neither "text" nor "prompt" and "completion"',
    ],
    ['{"text": "a"}\nnonsense', 'line 2: it is not JSON'],
    ['{"text": "a"}\n[1]', 'line 2: it has neither'],
  ])('refuses the JSONL %j, naming the line', async (lines, message) => {
    await expect(openCorpus(textSource(lines, 'a.jsonl'))).rejects.toThrow(`a.jsonl, ${message}`);
  });

  it('refuses a line of JSONL that is far too long', async () => {
    const line = 'x'.repeat(2 ** 24 + 1);
    const source = textSource(`{"text": "a"}\n${line.repeat(2)}`, 'a.jsonl');

    await expect(openCorpus(source)).rejects.toThrow('a.jsonl, line 2: it is longer than');
  });

  it.each<[string, CorpusOptions]>([
    ['characters', {}],
    ['BPE', { learn: bpe }],
    ['nothing but mark-up', { preparation: { aozora: true } }],
  ])('refuses an empty text of %s', async (_, options) => {
    const empty = textSource(options.preparation ? '［＃改ページ］\n' : '', 'notes.txt');

    await expect(openCorpus(empty, options)).rejects.toMatchObject({
      code: 'text-too-short',
      message: 'notes.txt is empty: expected text to learn from',
    });
  });
});

describe('a corpus of tokens in a store', () => {
  it('reads any range as the same range of the whole', async () => {
    const text = fc.array(anyCharacter, { minLength: 1, maxLength: 60 }).map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(fc.tuple(text, fc.nat(), fc.nat()), async ([written, a, b]) => {
        const corpus = await openCorpus(textSource(written), { learn: bpe });
        const [start = 0, end = 0] = [a, b]
          .map((n) => n % (corpus.length + 1))
          .toSorted((x, y) => x - y);

        const whole = corpus.tokenizer.encode(written);
        expect(corpus.length).toBe(whole.length);
        expect(await corpus.read(start, end)).toEqual(whole.slice(start, end));
      }),
      { numRuns: 40 },
    );
  });

  // One byte a token holds 256 of them, two hold 65,536: the alphabets lie on both sides of each edge.
  it.each([256, 257, 65_536, 65_537])('keeps %i different characters apart', async (count) => {
    const letters = Array.from({ length: count }, (_, i) => String.fromCodePoint(0xe000 + i));
    const written = letters.join('');

    const corpus = await openCorpus([textSource(written), textSource(written)]);

    expect(corpus.length).toBe(2 * count + 1);
    expect(await textOf(corpus)).toBe(`${written}\n${written}`);
  });

  it('reports its progress over both of its passes, and stops when it is aborted', async () => {
    const source = textSource('a rainy night '.repeat(120_000));
    const bytes: number[] = [];
    await openCorpus(source, { learn: bpe, onProgress: (n) => bytes.push(n) });

    const ends = chunkEnds(source.size);
    expect(bytes).toEqual([0, source.size].flatMap((pass) => ends.map((end) => (pass + end) / 2)));
    const stop = new AbortController();
    const stopped = openCorpus(source, {
      learn: bpe,
      onProgress: () => stop.abort(new Error('enough')),
      signal: stop.signal,
    });
    await expect(stopped).rejects.toThrow('enough');
  });

  it('gives its room back when it is closed, and when it cannot be opened', async () => {
    let open = 0;
    const openStore = async () => {
      open++;
      const store = await openBlobStore();
      return {
        ...store,
        close: () => {
          open--;
          return store.close();
        },
      };
    };
    const corpus = await openCorpus(textSource('rain'), { learn: bpe, openStore });
    expect(open).toBe(1);
    await corpus.close();
    expect(open).toBe(0);

    const { tokenizer } = await openCorpus(textSource('abc'));
    const other = openCorpus([textSource('abc'), textSource('abcd')], { tokenizer, openStore });
    await expect(other).rejects.toThrow('the character "\\n" (U+000A) at position 3');
    expect(open).toBe(0);
  });

  it('holds no more of a text than a chunk of it, however large it is', async () => {
    const line = JSON.stringify({ text: markedWork(40) });
    const source = textSource(`${line}\n`.repeat(1300), 'works.jsonl');
    const appended: number[] = [];
    const openStore = async () => {
      const store = await openBlobStore();
      return {
        ...store,
        append: (bytes: Uint8Array<ArrayBuffer>) => {
          appended.push(bytes.length);
          return store.append(bytes);
        },
      };
    };

    const preparation = { aozora: true, normalise: 'nfkc' } as const;
    await openCorpus(source, { preparation, learn: bpe, openStore });

    expect(source.size).toBeGreaterThan(4e6);
    expect(Math.max(...source.reads.map(([start, end]) => end - start))).toBe(CHUNK_BYTES);
    expect(Math.max(...appended)).toBeLessThan(2 * CHUNK_BYTES);
    expect(appended.length).toBeGreaterThanOrEqual(source.size / CHUNK_BYTES);
  });
});
