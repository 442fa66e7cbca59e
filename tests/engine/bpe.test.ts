import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BpeModel } from '../../engine/data/tokenizers/bpe-model.ts';
import {
  type BpeTokenizer,
  createBpeTokenizer,
} from '../../engine/data/tokenizers/bpe-tokenizer.ts';
import { PieceSplitter } from '../../engine/data/tokenizers/splitters.ts';
import { decodeTokenizer, encodeTokenizer } from '../../engine/data/tokenizers/bpe-file.ts';
import { trainBpe } from '../../engine/data/tokenizers/train-bpe.ts';
import { extent } from './extent.ts';
import { anyCharacter, partLengths, partsOf } from './text-parts.ts';

const STORY =
  "It's raining, it's pouring; the old man is snoring. He's 1234 years old, they'll say.\n\n" +
  '　雨の夜に駅に着いた。カエルがホームで鳴いていた。雨の夜の駅は、いつも静かだ。\n' +
  '__proto__ 12 toString 12 __proto__\n';
const words = fc.constantFrom(
  ...[
    "it's",
    ' rain',
    'ing',
    'they’ll',
    "'l",
    'l',
    '雨の',
    '夜',
    '駅は',
    'カエル',
    'ー',
    '12',
    '345',
  ],
  ...[
    ' ',
    '  ',
    '\t',
    '\n',
    '\r\n',
    '　',
    '、',
    '!?',
    '\u3099',
    'e\u0301',
    '\u{20BB7}',
    '\u{FEFF}',
  ],
);
const unit = fc.oneof(words, anyCharacter);
/** Any text, likely ones more often. */
const text = fc.array(unit, { maxLength: 40 }).map((parts) => parts.join(''));

function piecesOf(parts: readonly string[]): string[] {
  const pieces: string[] = [];
  const splitter = new PieceSplitter((piece) => pieces.push(piece));
  for (const part of parts) splitter.push(part);
  splitter.end();
  return pieces;
}

describe('pieces', () => {
  it('are words with their space, runs of one Japanese script, digits, signs and spaces', () => {
    expect(piecesOf(["It's  12345 naïve, 駅前でコーヒーを々\n\n\tx"])).toEqual([
      ...['It', "'s", ' ', ' 123', '45', ' naïve', ',', ' ', '駅前', 'で', 'コーヒー', 'を', '々'],
      ...['\n\n', '\t', 'x'],
    ]);
  });

  it('are the same wherever the parts of a text end, and make up the text', () => {
    fc.assert(
      fc.property(text, partLengths, (written, sizes) => {
        const whole = piecesOf([written]);
        expect(whole.join('')).toBe(written);
        expect(piecesOf(partsOf(written, sizes))).toEqual(whole);
      }),
      { numRuns: extent(500, 100) },
    );
  });

  it.each(['a', '雨', 'あ', 'ア', ' ', '\n', '!', '\u{20BB7}'])(
    'of %j are bounded',
    (character) => {
      const written = character.repeat(1000);
      const pieces = piecesOf([written]);

      expect(pieces.join('')).toBe(written);
      expect(Math.max(...pieces.map((piece) => [...piece].length))).toBe(64);
    },
  );
});

describe('training', () => {
  it('merges as counting all pairs again after every merge does', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        fc.pre(written !== '');
        const model = await trainBpe([written], { vocabulary: 280 });
        expect(model).toEqual(trainSlowly(written, 280));
      }),
      { numRuns: 60 },
    );
    const long = STORY.repeat(3) + 'aaaa aaaaa abab ababab'.repeat(4);
    expect(await trainBpe([long], { vocabulary: 600 })).toEqual(trainSlowly(long, 600));
  });

  it('gives the same model for the same text, in whatever parts it comes', async () => {
    const whole = await trainBpe([STORY], { vocabulary: 320 });
    await fc.assert(
      fc.asyncProperty(partLengths, async (sizes) => {
        expect(await trainBpe(partsOf(STORY, sizes), { vocabulary: 320 })).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  it('merges no pair below the minimum frequency', async () => {
    const { tokens } = await trainBpe(['abc abc abd'], { vocabulary: 300, minFrequency: 3 });

    expect(tokens.slice(256).map((bytes) => new TextDecoder().decode(bytes))).toEqual(['ab']);
  });

  it('forgets the rarest pieces when there are too many', async () => {
    const rare = Array.from({ length: 200 }, (_, i) => ` ${String.fromCodePoint(0x400 + i)}x`);
    const parts = rare.flatMap((piece) => [' common', piece]);

    const model = await trainBpe(parts, { vocabulary: 262, maxPieces: 20 });

    expect(model.tokens.map((bytes) => new TextDecoder().decode(bytes))).toContain(' common');
  });

  it.each([
    [{ vocabulary: 255 }, 'vocabulary is 255: expected a whole number from 256 to 1048576'],
    [{ vocabulary: 300, minFrequency: 0 }, 'minFrequency is 0'],
    [{ vocabulary: 300, maxPieces: 1.5 }, 'maxPieces is 1.5'],
  ])('refuses %j', async (options, message) => {
    await expect(trainBpe(['text'], options)).rejects.toThrow(message);
    await expect(trainBpe([''], { vocabulary: 256 })).rejects.toMatchObject({
      code: 'text-too-short',
    });
  });
});

describe('the tokenizer', () => {
  let model: BpeModel;
  let tokenizer: BpeTokenizer;
  beforeAll(async () => {
    model = await trainBpe([STORY.repeat(2)], { vocabulary: 400 });
    tokenizer = createBpeTokenizer(model);
  });

  it('gives back any text it has encoded', () => {
    fc.assert(
      fc.property(text, (written) => {
        expect(tokenizer.decode(tokenizer.encode(written))).toBe(written);
      }),
      { numRuns: extent(500, 100) },
    );
  });

  it('needs few tokens for what it was trained on', () => {
    expect(tokenizer.encode('雨の夜').length).toBeLessThan(9 / 2);
    expect([...tokenizer.encode('')]).toEqual([]);
  });

  it('encodes parts as the whole and decodes tokens one by one as together', () => {
    fc.assert(
      fc.property(text, partLengths, (written, sizes) => {
        const encoder = tokenizer.openEncoder();
        const parts = partsOf(written, sizes).flatMap((part) => [...encoder.push(part)]);
        const ids = [...parts, ...encoder.end()];
        expect(ids).toEqual([...tokenizer.encode(written)]);

        const decoder = tokenizer.openDecoder();
        const shown = ids.map((id) => decoder.push([id])).join('');
        expect(shown).toBe(written);
        expect(decoder.end()).toBe('');
      }),
    );
  });

  it('holds back an unfinished character, and shows it replaced if it stays so', () => {
    const decoder = createBpeTokenizer({ tokens: model.tokens, merges: [] }).openDecoder();
    const bytes = [...new TextEncoder().encode('雨')];

    expect(bytes.map((byte) => decoder.push([byte]))).toEqual(['', '', '雨']);
    expect(decoder.push(bytes.slice(0, 2)) + decoder.end()).toBe('\u{FFFD}');
    expect(tokenizer.decode([0x61, 1e6, 0x62])).toBe('a\u{FFFD}b');
  });

  it('refuses half of a surrogate pair', () => {
    for (const half of ['ab\uD800', 'ab\uDC00c']) {
      expect(() => tokenizer.encode(half)).toThrow(
        expect.objectContaining({ code: 'text-invalid' }),
      );
    }
  });
});

describe('tokenizer.json', () => {
  it('holds the whole model: saved is loaded', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        const model = await trainBpe([STORY, written], { vocabulary: 380 });
        const json = encodeTokenizer(model);
        const loaded = decodeTokenizer(json).model;

        expect(loaded).toEqual(model);
        expect(encodeTokenizer(loaded)).toBe(json);
      }),
      { numRuns: 20 },
    );
  });

  it('has the layout that others read', async () => {
    const { model, ...file } = JSON.parse(
      encodeTokenizer(await trainBpe([' é é é'], { vocabulary: 258 })),
    );

    expect(file).toMatchObject({
      version: '1.0',
      pre_tokenizer: { pretokenizers: [{ type: 'Split' }, { type: 'ByteLevel' }] },
      decoder: { type: 'ByteLevel' },
    });
    // The letters of GPT-2: a space is Ġ, bytes of Latin-1 that can be seen are themselves.
    expect(model).toMatchObject({ type: 'BPE', merges: ['Ġ Ã', 'ĠÃ ©'] });
    expect(model.vocab).toMatchObject({ '!': 0x21, Ā: 0, Ġ: 0x20, Ń: 0xad, ĠÃ: 256, 'ĠÃ©': 257 });
  });

  it('is read with ids in another order and with merges as pairs', async () => {
    const model = await trainBpe([STORY], { vocabulary: 300 });
    const file = JSON.parse(encodeTokenizer(model));
    const other = (id: number) => model.tokens.length - 1 - id;
    for (const name of Object.keys(file.model.vocab)) {
      file.model.vocab[name] = other(file.model.vocab[name]);
    }
    file.model.merges = file.model.merges.map((merge: string) => merge.split(' '));

    const loaded = createBpeTokenizer(decodeTokenizer(JSON.stringify(file)).model);

    const expected = [...createBpeTokenizer(model).encode(STORY)].map(other);
    expect([...loaded.encode(STORY)]).toEqual(expected);
    expect(loaded.decode(expected)).toBe(STORY);
  });

  it.each<[string, (model: { vocab: Record<string, unknown>; merges: string[] }) => void, string]>([
    ['a byte', ({ vocab }) => delete vocab['Ġ'], 'no token has the id 32'],
    ['an id', ({ vocab }) => (vocab['a'] = 'b'), 'the id of "a" is "b", expected 0 to 1048575'],
    ['one id twice', ({ vocab }) => (vocab['a'] = 98), 'two tokens have the id 98'],
    ['a letter', ({ vocab }) => swap(vocab, 'Ġ', '雨'), '"雨" in "雨" stands for no byte'],
    ['a token', ({ vocab }) => swap(vocab, 'Ġ', 'ab'), 'the token "Ġ" is missing'],
    ['a merge', ({ merges }) => merges.push('a'), 'the merge "a" is not of two tokens'],
    ['a merged token', ({ merges }) => merges.push('x y'), 'the token "xy" is missing'],
  ])('is refused with %s that is wrong', async (_, damage, message) => {
    const file = JSON.parse(encodeTokenizer(await trainBpe([' é é é'], { vocabulary: 258 })));
    damage(file.model);

    expect(() => decodeTokenizer(JSON.stringify(file))).toThrow(
      expect.objectContaining({
        code: 'checkpoint-damaged',
        message: expect.stringContaining(message),
      }),
    );
  });

  it('is refused when it is of another kind, naming the part', () => {
    const ours = JSON.parse(encodeTokenizer({ tokens: [], merges: [] }));
    const model = { ...ours.model, type: 'WordPiece' };

    expect(() => decodeTokenizer('{')).toThrow('it is not JSON');
    expect(() => decodeTokenizer(JSON.stringify({ ...ours, model }))).toThrow('model.type');
    expect(() => decodeTokenizer(JSON.stringify({ ...ours, added_tokens: [{}] }))).toThrow(
      'added_tokens',
    );
  });
});

function swap(vocab: Record<string, unknown>, from: string, to: string): void {
  vocab[to] = vocab[from];
  delete vocab[from];
}

/** The same merges by the plainest means. */
function trainSlowly(written: string, vocabulary: number): BpeModel {
  let pieces = piecesOf([written]).map((piece) => [...new TextEncoder().encode(piece)]);
  const tokens = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  const merges: { left: number; right: number; merged: number }[] = [];
  while (tokens.length < vocabulary) {
    const counts = new Map<string, { left: number; right: number; count: number }>();
    for (const piece of pieces) {
      for (let i = 1; i < piece.length; i++) {
        const [left, right] = [piece[i - 1]!, piece[i]!];
        const { count } = counts.get(`${left} ${right}`) ?? { count: 0 };
        counts.set(`${left} ${right}`, { left, right, count: count + 1 });
      }
    }
    const [best] = [...counts.values()].toSorted(
      (a, b) => b.count - a.count || a.left - b.left || a.right - b.right,
    );
    if (!best || best.count < 2) break;
    const { left, right } = best;
    const bytes = Uint8Array.from([...tokens[left]!, ...tokens[right]!]);
    const known = tokens.findIndex((token) => String(token) === String(bytes));
    const merged = known < 0 ? tokens.push(bytes) - 1 : known;
    merges.push({ left, right, merged });
    pieces = pieces.map((piece) => {
      const out: number[] = [];
      for (let i = 0; i < piece.length; i++) {
        const isPair = piece[i] === left && piece[i + 1] === right;
        out.push(isPair ? merged : piece[i]!);
        if (isPair) i++;
      }
      return out;
    });
  }
  return { tokens, merges };
}
