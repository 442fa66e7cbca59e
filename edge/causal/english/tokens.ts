import type { Span } from '../finding.ts';

export interface Token extends Span {
  /** In lower case, with straight apostrophes. */
  readonly word: string;
  readonly isWord: boolean;
}

const TOKEN = /[$€£¥]?[\p{L}\p{N}]+(?:['’.,\-_/:][\p{L}\p{N}]+)*%?|\S/gu;

/** Words and marks of a sentence; `$3.2`, `U.S` and `node-7` are one word each. */
export function tokenise(text: string, { start, end }: Span): Token[] {
  return Array.from(text.slice(start, end).matchAll(TOKEN), (match) => {
    const [found] = match;
    const at = start + match.index;
    const isWord = /[\p{L}\p{N}]/u.test(found);
    const word = found.toLowerCase().replaceAll('’', "'");
    return { word, isWord, start: at, end: at + found.length };
  });
}

/** The word at a place, empty beyond the ends. */
export const wordAt = (tokens: readonly Token[], i: number): string => tokens[i]?.word ?? '';
