import * as z from 'zod/mini';

const NUMBER = '(?:0|[1-9]\\d*)';
const PRERELEASE_PART = `(?:${NUMBER}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
const BUILD_PART = '[0-9A-Za-z-]+';
const list = (part: string) => `${part}(?:\\.${part})*`;
const SEMVER = new RegExp(
  `^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-(${list(PRERELEASE_PART)}))?(?:\\+${list(BUILD_PART)})?$`,
);

/** The longest version taken; it bounds the length prefix of a precedence key to three digits. */
const MAX_LENGTH = 128;

/** A version in the strict form of SemVer 2.0.0, such as 1.4.0-rc.1. */
export const Version = z
  .string()
  .check(
    z.maxLength(MAX_LENGTH),
    z.regex(SEMVER, 'expected a SemVer 2.0.0 version such as 1.4.0 or 1.4.0-rc.1'),
  );
export type Version = z.infer<typeof Version>;

/**
 * A string whose byte order is the precedence of SemVer 2.0.0 clause 11, so that a database can
 * sort and take the highest. Versions that differ in build metadata only share one key.
 *
 * A number becomes its length and its digits; a word is closed by '!', which sorts below every
 * character of a word; a release carries '~', which sorts above every pre-release.
 */
export function precedenceKey(version: Version): string {
  const [, major = '0', minor = '0', patch = '0', prerelease] = SEMVER.exec(version) ?? [];
  const core = [major, minor, patch].map(numberKey).join('');
  if (prerelease === undefined) return `${core}~`;
  return core + prerelease.split('.').map(identifierKey).join('');
}

/** Below zero where `a` comes before `b`; a tie in precedence is settled by the text. */
export function compareVersions(a: Version, b: Version): number {
  return order(precedenceKey(a), precedenceKey(b)) || order(a, b);
}

/** The next minor version after the highest of some; 1.0.0 after none. */
export function nextMinor(versions: readonly Version[]): Version {
  const highest = versions.toSorted(compareVersions).at(-1);
  if (highest === undefined) return '1.0.0';
  const [major = '0', minor = '0'] = highest.split('.');
  return `${major}.${Number(minor) + 1}.0`;
}

function identifierKey(identifier: string): string {
  return /^\d+$/.test(identifier) ? `0${numberKey(identifier)}` : `1${identifier}!`;
}

function numberKey(digits: string): string {
  return `${String(digits.length).padStart(3, '0')}${digits}`;
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
