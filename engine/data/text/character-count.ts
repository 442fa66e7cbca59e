/** Code points that Unicode has room for. */
export const CODE_POINTS = 0x110000;
/** The last code point of one UTF-16 unit; those above take two. */
export const LAST_SINGLE_UNIT = 0xffff;

/** The characters whose code points are marked with 1 in a table of all, in their order. */
export function markedCharacters(marks: Uint8Array): string[] {
  const characters: string[] = [];
  for (let code = marks.indexOf(1); code >= 0; code = marks.indexOf(1, code + 1)) {
    characters.push(String.fromCodePoint(code));
  }
  return characters;
}

/** Counts the characters of a text in pieces of whole characters. */
export class CharacterCount {
  /** Characters in all. */
  characters = 0;
  /** Different ones. */
  distinct = 0;
  readonly #seen = new Uint8Array(CODE_POINTS);

  take(text: string): void {
    // By index, as iterating a string allocates one for every character.
    for (let i = 0, code = 0; i < text.length; i += code > LAST_SINGLE_UNIT ? 2 : 1) {
      code = text.codePointAt(i) ?? 0;
      this.characters++;
      if (this.#seen[code] === 1) continue;
      this.#seen[code] = 1;
      this.distinct++;
    }
  }

  /** The different characters in code point order. */
  alphabet(): string[] {
    return markedCharacters(this.#seen);
  }
}
