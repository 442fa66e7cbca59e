import type { BpeForm } from './bpe-model.ts';

/**
 * Pieces that no merge crosses, in order of preference: English contractions; runs of kanji, hiragana or
 * katakana, at whose boundaries Japanese words mostly change; words with the space before them; up to three
 * digits; punctuation; line ends; spaces, except the last one before a word. Runs are bounded, and thereby
 * memory. Oniguruma, which other readers of tokenizer.json use, reads it the same: it uses literal
 * characters. It matches at every character.
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

/** Look-ahead of the pattern beyond the end of a piece. */
const LOOK_AHEAD = 4;

/** Splits a streamed text into pieces, the same ones however it is streamed. */
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

  /** Emits the pieces that end at `last` or before. */
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

/** A copy in memory of its own: a slice keeps its whole string alive in V8. */
export function ownCopy(piece: string): string {
  return fromUtf8.decode(toUtf8.encode(piece));
}

/** Characters after which text is split even without a certain boundary. */
const MAX_HELD_LENGTH = 1 << 16;
/** A boundary in every pattern in use: a letter or digit before another kind of character. */
const BOUNDARY = /(?<=[\p{L}\p{N}])[^\p{L}\p{N}\p{M}'’]/gu;

/**
 * Splits a streamed text by a foreign pattern. Its runs are unbounded, and the end of a piece may depend on
 * much later text, so the stream is cut at boundaries that all patterns share.
 */
class ForeignSplitter implements Pieces {
  readonly #form: BpeForm;
  readonly #take: (piece: string) => void;
  #rest = '';
  #isBegun = false;

  constructor(form: BpeForm, take: (piece: string) => void) {
    this.#form = form;
    this.#take = take;
  }

  push(text: string): void {
    this.#rest += this.#begun(text);
    let last = 0;
    for (const { index } of this.#rest.matchAll(BOUNDARY)) last = index;
    if (last === 0 && this.#rest.length > MAX_HELD_LENGTH) last = this.#rest.length - 1;
    if (last > 0) this.#split(last);
  }

  end(): void {
    this.#split(this.#rest.length);
  }

  #begun(text: string): string {
    if (this.#isBegun || text === '') return text;
    this.#isBegun = true;
    return this.#form.hasPrefixSpace && !text.startsWith(' ') ? ` ${text}` : text;
  }

  /** Emits the pieces that end at `last` or before. */
  #split(last: number): void {
    const { pattern } = this.#form;
    let at = 0;
    const give = (end: number) => {
      if (end > at) this.#take(this.#rest.slice(at, end));
      at = end;
    };
    for (const match of pattern ? this.#rest.matchAll(pattern) : []) {
      const end = match.index + match[0].length;
      if (end > last) break;
      give(match.index);
      give(end);
    }
    // Text that matched nothing so far may still be part of a match, except at the end.
    if (last === this.#rest.length) give(last);
    this.#rest = this.#rest.slice(at);
  }
}

/** The splitter that a model was trained with. */
export function splitterOf(form: BpeForm | undefined, take: (piece: string) => void): Pieces {
  return form ? new ForeignSplitter(form, take) : new PieceSplitter(take);
}

/** Splits streamed text at added tokens. */
interface AddedSplitter {
  push(text: string): void;
  end(): void;
}

interface Taking {
  text(part: string): void;
  token(id: number): void;
}

/** Splits at added tokens, the longest first where several begin at one index. */
export function addedSplitter(added: BpeForm['added'], take: Taking): AddedSplitter {
  const contents = added.map(({ content }) => content).toSorted((a, b) => b.length - a.length);
  const longest = contents[0]?.length ?? 0;
  if (longest === 0) return { push: (text) => take.text(text), end() {} };
  const ids = new Map(added.map(({ id, content }) => [content, id]));
  const pattern = new RegExp(contents.map(escaped).join('|'), 'gu');
  let rest = '';
  /** Emits everything before `limit`, from which on a longer token may still be incomplete. */
  const split = (limit: number) => {
    let at = 0;
    for (const match of rest.matchAll(pattern)) {
      if (match.index >= limit) break;
      if (match.index > at) take.text(rest.slice(at, match.index));
      take.token(ids.get(match[0]) ?? 0);
      at = match.index + match[0].length;
    }
    if (limit > at) take.text(rest.slice(at, limit));
    rest = rest.slice(Math.max(at, limit));
  };
  return {
    push(text) {
      rest += text;
      split(Math.max(0, rest.length - longest + 1));
    },
    end: () => split(rest.length),
  };
}

const escaped = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
