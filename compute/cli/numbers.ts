import { InvalidArgumentError } from 'commander';

/** Parses an option that is a number; what it may be is checked where it is used. */
export function numberOption(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) {
    throw new InvalidArgumentError(`got "${text}", expected a number.`);
  }
  return value;
}
