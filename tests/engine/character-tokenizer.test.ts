import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCharacterTokenizer } from '../../engine/data/tokenizers/character-tokenizer.ts';

/** Any code points but halves of surrogate pairs, which no UTF-8 text holds. */
const text = fc.string({ unit: 'binary' });

describe('the character tokenizer', () => {
  it('gives back any text it has encoded', () => {
    fc.assert(
      fc.property(text, (written) => {
        const tokenizer = createCharacterTokenizer(written);
        expect(tokenizer.decode(tokenizer.encode(written))).toBe(written);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['a NUL', 'a\0b'],
    ['a byte order mark', '\u{FEFF}text\u{FEFF}'],
    ['code points beyond 16 bits', '\u{1F600}𝄞\u{10FFFF}\u{FFFF}\u{10000}'],
    ['marks that combine', 'e\u0301 \u00E9 \u0928\u093F'],
    ['line breaks of both kinds', 'a\r\nb\nc\r'],
  ])('keeps %s as it is', (_, written) => {
    const tokenizer = createCharacterTokenizer(written);

    expect(tokenizer.encode(written)).toHaveLength([...written].length);
    expect(tokenizer.decode(tokenizer.encode(written))).toBe(written);
  });

  it('numbers characters by code point, in whatever order and however often they are given', () => {
    fc.assert(
      fc.property(text, (given) => {
        const { characters, idOf } = createCharacterTokenizer(given);
        const codes = characters.map((character) => character.codePointAt(0)!);

        const distinct = new Set(Array.from(given, (character) => character.codePointAt(0)!));
        expect(codes).toEqual([...distinct].toSorted((a, b) => a - b));
        expect(codes.map(idOf)).toEqual([...codes.keys()]);
      }),
    );
  });

  it('names an unknown character, its code point and where it stands, counted in characters', () => {
    const tokenizer = createCharacterTokenizer('a\u{1F600}');

    // The position counts the pair of surrogates before it as one.
    expect(() => tokenizer.encode('a\u{1F600}\u{1F601}')).toThrow(
      expect.objectContaining({
        code: 'unknown-character',
        message:
          'the character "\u{1F601}" (U+1F601) at position 2 is not in the model\'s alphabet',
      }),
    );
    expect(() => tokenizer.encode('\n')).toThrow('the character "\\n" (U+000A) at position 0');
  });

  it('knows no code point outside its alphabet', () => {
    const { idOf } = createCharacterTokenizer('b');

    expect([idOf(0x61), idOf(0x62), idOf(0x63), idOf(-1), idOf(0x110000)]).toEqual([
      undefined,
      0,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('shows a replacement character for an id it does not have', () => {
    expect(createCharacterTokenizer('ab').decode([0, 2, 1])).toBe('a\u{FFFD}b');
  });
});
