import type { BpeForm } from './bpe-model.ts';

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

/** Characters after which a text is cut although no place is sure to be a boundary. */
const MAX_HELD_LENGTH = 1 << 16;
/** Where every pattern in use ends a piece, whatever follows: a letter or digit before another kind of sign. */
const BOUNDARY = /(?<=[\p{L}\p{N}])[^\p{L}\p{N}\p{M}'’]/gu;

/**
 * Cuts a text that comes in parts into the pieces of a pattern that is not ours: its runs are not bounded, and
 * where a piece ends may depend on what comes long after it. So it is cut at boundaries that all patterns have.
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

  /** Hands over the pieces that end at `last` or before. */
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
    // At the end nothing follows; before it what matched nothing so far may still be part of a match.
    if (last === this.#rest.length) give(last);
    this.#rest = this.#rest.slice(at);
  }
}

/** What cuts texts as a model was trained to have them cut. */
export function splitterOf(form: BpeForm | undefined, take: (piece: string) => void): Pieces {
  return form ? new ForeignSplitter(form, take) : new PieceSplitter(take);
}

/** Tells texts that are one token from the text around them, as it comes. */
interface AddedSplitter {
  push(text: string): void;
  end(): void;
}

interface Taking {
  text(part: string): void;
  token(id: number): void;
}

/** Cuts a text at added tokens, the longest first where several begin at one place. */
export function addedSplitter(added: BpeForm['added'], take: Taking): AddedSplitter {
  const contents = added.map(({ content }) => content).toSorted((a, b) => b.length - a.length);
  const longest = contents[0]?.length ?? 0;
  if (longest === 0) return { push: (text) => take.text(text), end() {} };
  const ids = new Map(added.map(({ id, content }) => [content, id]));
  const pattern = new RegExp(contents.map(escaped).join('|'), 'gu');
  let rest = '';
  /** Takes what lies before `limit`, from where on a longer token may still be on its way. */
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
