import { InvalidArgumentError } from 'commander';

/** Parses an option that is a number; what it may be is checked where it is used. */
export function numberOption(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) {
    throw new InvalidArgumentError(`got "${text}", expected a number.`);
  }
  return value;
}

/** Parses an option that is on or off. */
export function flagOption(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('expected true or false.');
}
