import {
  formatMatcher,
  parseMatcher,
  type Matcher,
} from '../../../edge/alerts/contract/alert-matcher.ts';

/** The pieces of a list with commas between; a comma within quotes belongs to its piece. */
export function piecesOf(written: string): string[] {
  const pieces = written.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? [];
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

/** Reads matchers with commas between; undefined where one is none. */
export function readMatchers(written: string): Matcher[] | undefined {
  const matchers = piecesOf(written).map(parseMatcher);
  return matchers.every((matcher) => matcher !== undefined) ? matchers : undefined;
}

export const writeMatchers = (matchers: readonly Matcher[]): string =>
  matchers.map(formatMatcher).join(', ');

/** The first piece that is no matcher. */
export const badMatcherOf = (written: string): string | undefined =>
  piecesOf(written).find((piece) => parseMatcher(piece) === undefined);
