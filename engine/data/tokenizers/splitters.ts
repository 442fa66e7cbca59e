import type { BpeForm } from './bpe-model.ts';
import { type Pieces, PieceSplitter } from './pieces.ts';

/** Characters after which a text is cut although no place is sure to be a boundary. */
const LONGEST_HELD = 1 << 16;
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
    if (last === 0 && this.#rest.length > LONGEST_HELD) last = this.#rest.length - 1;
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
