import { InvalidArgumentError } from 'commander';

/** Parses an option that is a number; what it may be is checked where it is used. */
export function numberOption(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) {
    throw new InvalidArgumentError(`got "${text}", expected a number.`);
  }
  return value;
}

/** Parses an option that is a whole number, from 0 to the most it may be. */
export const wholeUpTo = (most: number) => (text: string) => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  throw new InvalidArgumentError(`got "${text}", expected a whole number up to ${most}.`);
};

/** Parses an option that is a whole number between two bounds. */
export const wholeFrom = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(
    `got "${text}", expected a whole number from ${least} to ${most}.`,
  );
};

/** Parses an option that is a JSON object. */
export function objectOption(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Said below: it is no object either.
  }
  throw new InvalidArgumentError(`got "${text}", expected a JSON object.`);
}
