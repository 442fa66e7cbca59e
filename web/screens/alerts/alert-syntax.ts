import {
  formatMatcher,
  type Matcher,
  parseMatcher,
} from '../../../edge/alerts/contract/alert-matcher.ts';

/** Splits a list at commas outside quotes. */
export function piecesOf(written: string): string[] {
  const pieces = written.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? [];
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

/** Parses matchers separated by commas; undefined where one is invalid. */
export function readMatchers(written: string): Matcher[] | undefined {
  const matchers = piecesOf(written).map(parseMatcher);
  return matchers.every((matcher) => matcher !== undefined) ? matchers : undefined;
}

export const writeMatchers = (matchers: readonly Matcher[]): string =>
  matchers.map(formatMatcher).join(', ');

/** The first invalid matcher. */
export const badMatcherOf = (written: string): string | undefined =>
  piecesOf(written).find((piece) => parseMatcher(piece) === undefined);

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
const isUnit = (unit: string): unit is keyof typeof UNITS => Object.hasOwn(UNITS, unit);

/** Parses a duration such as `90s`, `5m` or `1h30m` to seconds; undefined where it is invalid. */
export function readDuration(written: string): number | undefined {
  const plain = written.normalize('NFKC').replaceAll(' ', '');
  if (plain === '0') return 0;
  if (!/^(?:\d{1,7}[smhdw])+$/.test(plain)) return undefined;
  let seconds = 0;
  for (const [, count, unit = ''] of plain.matchAll(/(\d+)([smhdw])/g)) {
    if (isUnit(unit)) seconds += Number(count) * UNITS[unit];
  }
  return seconds;
}

/** Formats seconds as a duration: 90 is `1m30s`. */
export function writeDuration(seconds: number): string {
  if (seconds === 0) return '0s';
  let rest = seconds;
  let written = '';
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const count = Math.floor(rest / UNITS[unit]);
    rest -= count * UNITS[unit];
    if (count > 0) written += `${count}${unit}`;
  }
  return written;
}
