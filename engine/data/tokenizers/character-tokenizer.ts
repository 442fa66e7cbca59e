import { EngineError } from '../../errors.ts';
import { CODE_POINTS, LAST_SINGLE_UNIT } from '../text/character-count.ts';
import { type NormalStep, normalSteps } from '../text/normalise.ts';
import { wholeCharacters } from '../text/filter.ts';
import { REPLACEMENT_BYTES, type TextTokenizer } from './text-tokenizer.ts';

/** Tokens are Unicode code points, numbered in code point order. */
export interface CharacterTokenizer extends TextTokenizer {
  readonly kind: 'character';
  readonly characters: readonly string[];
  /** Throws EngineError `unknown-character` naming the character and its position. */
  encode(text: string): Uint32Array;
  /** The id of a code point; undefined when the tokenizer does not know it. */
  idOf(codePoint: number): number | undefined;
}

/** Makes a tokenizer of characters in any order. */
export function createCharacterTokenizer(
  alphabet: Iterable<string>,
  steps: readonly NormalStep[] = [],
): CharacterTokenizer {
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
  /** `first` is the position of the first character in the whole text. */
  const encode = (text: string, first = 0) => {
    const tokens = new Uint32Array(text.length);
    let count = 0;
    for (let i = 0, code = 0; i < text.length; i += code > LAST_SINGLE_UNIT ? 2 : 1) {
      code = text.codePointAt(i) ?? 0;
      const id = idOf(code);
      if (id === undefined) throw unknownCharacter(code, first + count);
      tokens[count++] = id;
    }
    // A copy only where pairs of surrogates made it shorter.
    return count === tokens.length ? tokens : tokens.slice(0, count);
  };
  const decode = (tokens: Iterable<number>) =>
    Array.from(tokens, (id) => characters[id] ?? '\u{FFFD}').join('');
  const utf8 = new TextEncoder();
  return {
    kind: 'character',
    size: characters.length,
    characters,
    start: idOf(NEWLINE) ?? 0,
    idOf,
    steps,
    encode(text) {
      const normal = normalSteps(steps);
      return encode(steps.length === 0 ? text : normal.push(text) + normal.end());
    },
    openEncoder() {
      const whole = steps.length === 0 ? wholeCharacters() : normalSteps(steps);
      let position = 0;
      const take = (text: string) => {
        const tokens = encode(text, position);
        position += tokens.length;
        return tokens;
      };
      return { push: (text) => take(whole.push(text)), end: () => take(whole.end()) };
    },
    decode,
    openDecoder: () => ({ push: decode, end: () => '' }),
    bytesOf(id) {
      const character = characters[id];
      return character === undefined ? REPLACEMENT_BYTES : utf8.encode(character);
    },
  };
}

const NEWLINE = 0x0a;

/** The error for a code point outside the alphabet, at a position counted in characters. */
export function unknownCharacter(code: number, position: number): EngineError {
  const character = JSON.stringify(String.fromCodePoint(code));
  const number = code.toString(16).toUpperCase().padStart(4, '0');
  return new EngineError(
    'unknown-character',
    `the character ${character} (U+${number}) at position ${position} is not in the model's alphabet`,
  );
}
