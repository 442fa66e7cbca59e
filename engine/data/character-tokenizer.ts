import { EngineError } from '../errors.ts';

/** Tokens are Unicode code points, numbered in code point order. */
export interface CharacterTokenizer {
  readonly characters: readonly string[];
  /** Throws EngineError `unknown-character` naming the character and where it stands. */
  encode(text: string): Uint32Array;
  decode(ids: Iterable<number>): string;
  /** The id of a code point; undefined when the tokenizer does not know it. */
  idOf(codePoint: number): number | undefined;
}

/** Code points that Unicode has room for. */
export const CODE_POINTS = 0x110000;
/** The last code point that is one unit of a string; those beyond take two. */
export const LAST_SINGLE_UNIT = 0xffff;

/** Makes a tokenizer of characters in any order. */
export function createCharacterTokenizer(alphabet: Iterable<string>): CharacterTokenizer {
  const codes = Array.from(new Set(alphabet), (character) => character.codePointAt(0) ?? 0);
  const sorted = codes.toSorted((a, b) => a - b);
  const characters = sorted.map((code) => String.fromCodePoint(code));
  // One entry per code point: encoding a large text is a lookup per character.
  const ids = new Int32Array(CODE_POINTS).fill(-1);
  for (const [id, code] of sorted.entries()) ids[code] = id;
  const idOf = (codePoint: number) => {
    const id = ids[codePoint] ?? -1;
    return id < 0 ? undefined : id;
  };
  return {
    characters,
    idOf,
    encode(text) {
      const tokens = new Uint32Array(text.length);
      let count = 0;
      for (let i = 0, code = 0; i < text.length; i += code > LAST_SINGLE_UNIT ? 2 : 1) {
        code = text.codePointAt(i) ?? 0;
        const id = idOf(code);
        if (id === undefined) throw unknownCharacter(code, count);
        tokens[count++] = id;
      }
      return tokens.slice(0, count);
    },
    decode: (tokens) => Array.from(tokens, (id) => characters[id] ?? '\u{FFFD}').join(''),
  };
}

/** The error for a code point outside the alphabet, at a position counted in characters. */
export function unknownCharacter(code: number, position: number): EngineError {
  const character = JSON.stringify(String.fromCodePoint(code));
  const number = code.toString(16).toUpperCase().padStart(4, '0');
  return new EngineError(
    'unknown-character',
    `the character ${character} (U+${number}) at position ${position} is not in the model's alphabet`,
  );
}
