import satisfies from 'semver/functions/satisfies.js';
import valid from 'semver/functions/valid.js';
import validRange from 'semver/ranges/valid.js';

export const isVersion = (value: unknown): value is string =>
  typeof value === 'string' && valid(value) === value.replace(/\+.*$/, '');

export const isRange = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && validRange(value) !== null;

/** Whether a version lies in a range such as `^1.2.0`, by the rules of npm. */
export const isInRange = (version: string, range: string): boolean => satisfies(version, range);
