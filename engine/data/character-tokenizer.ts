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

const CODE_POINTS = 0x110000;

/** Makes a tokenizer of distinct characters in any order. */
export function createCharacterTokenizer(alphabet: Iterable<string>): CharacterTokenizer {
  const codes = [...alphabet].map((character) => character.codePointAt(0) ?? 0);
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
      for (const character of text) {
        const id = idOf(character.codePointAt(0) ?? 0);
        if (id === undefined) throw unknownCharacter(character, count);
        tokens[count++] = id;
      }
      return tokens.slice(0, count);
    },
    decode: (tokens) => Array.from(tokens, (id) => characters[id] ?? '\u{FFFD}').join(''),
  };
}

/** The error for a character outside the alphabet, at a position counted in characters. */
export function unknownCharacter(character: string, position: number): EngineError {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return new EngineError(
    'unknown-character',
    `the character ${JSON.stringify(character)} (U+${code}) at position ${position} is not in the model's alphabet`,
  );
}
