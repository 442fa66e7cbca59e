/**
 * What no merge crosses, in order of preference: English contractions; runs of kanji, hiragana or
 * katakana, which is where Japanese words mostly change; words with the space before them; up to
 * three digits; other signs; line ends; spaces, but the last one before a word. Runs are bounded, so
 * that memory is. Written so that Oniguruma, which other readers of tokenizer.json use, reads it the
 * same: characters stand for themselves in it. It matches at every character.
 */
export const PIECE_PATTERN = [
  "'(?:[sdmt]|ll|ve|re)",
  '[㐀-䶿一-鿿豈-﫿々]{1,64}',
  '[ぁ-ゟ]{1,64}',
  '[゠-ヿㇰ-ㇿｦ-ﾟ]{1,64}',
  ' ?(?:(?![㐀-䶿一-鿿豈-﫿々ぁ-ヿㇰ-ㇿｦ-ﾟ])[\\p{L}\\p{M}]){1,64}',
  ' ?\\p{N}{1,3}',
  ' ?[^\\s\\p{L}\\p{M}\\p{N}]{1,64}',
  '[\\r\\n]{1,64}',
  '[^\\S\\r\\n]{1,64}(?!\\S)',
  '\\s',
].join('|');

/** How far beyond the end of a piece the pattern may look before it settles on the piece. */
const LOOK_AHEAD = 4;

/** Cuts a text that comes in parts into pieces; the same pieces wherever the parts end. */
export interface Pieces {
  push(text: string): void;
  end(): void;
}

/** A pattern of the tokenizers library, where spaces are those of Unicode, as JavaScript has it. */
export function compilePattern(pattern: string, flags: string): RegExp {
  const spaces = pattern.replaceAll(/\\(\\|s|S)/g, (whole, kind: string) => {
    if (kind === '\\') return whole;
    return kind === 's' ? '\\p{White_Space}' : '\\P{White_Space}';
  });
  return new RegExp(spaces, `${flags}u`);
}

export class PieceSplitter implements Pieces {
  readonly #pattern = compilePattern(PIECE_PATTERN, 'y');
  readonly #take: (piece: string) => void;
  #rest = '';

  constructor(take: (piece: string) => void) {
    this.#take = take;
  }

  push(text: string): void {
    this.#rest += text;
    this.#split(this.#rest.length - LOOK_AHEAD);
  }

  end(): void {
    this.#split(this.#rest.length);
  }

  /** Hands over the pieces that end at `last` or before. */
  #split(last: number): void {
    let at = 0;
    while (at < last) {
      this.#pattern.lastIndex = at;
      const length = this.#pattern.exec(this.#rest)?.[0].length ?? 1;
      const end = at + length;
      if (end > last) break;
      this.#take(this.#rest.slice(at, end));
      at = end;
    }
    this.#rest = this.#rest.slice(at);
  }
}

const toUtf8 = new TextEncoder();
const fromUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The same piece in memory of its own. What is cut from a string keeps all of that string alive in V8,
 * so that a piece kept from every megabyte would keep the whole text.
 */
export function ownCopy(piece: string): string {
  return fromUtf8.decode(toUtf8.encode(piece));
}
