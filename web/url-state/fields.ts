/** One named value of the address: how it is read, how it is written, and what it is when absent. */
export interface Field<T> {
  readonly initial: T;
  /** The value `text` stands for, or undefined when it stands for none (then `initial` holds). */
  read(text: string): T | undefined;
  /** The inverse of `read` for every value the field can hold. */
  write(value: T): string;
}

/** The values of a set of fields: `{ page: integer(…) }` has `{ page: number }`. */
export type Values<F> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

interface Range {
  readonly min: number;
  readonly max: number;
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INTEGER = /^-?\d{1,15}$/;

/** A finite number within `range`, written so that reading gives the same bits back. */
export function number(initial: number, range: Range): Field<number> {
  return {
    initial: inRange(initial, range),
    read: (written) => within(DECIMAL.test(written) ? Number(written) : Number.NaN, range),
    write: String,
  };
}

/** A whole number within `range`. */
export function integer(initial: number, range: Range): Field<number> {
  return {
    initial: inRange(initial, range),
    read: (written) => within(INTEGER.test(written) ? Number(written) : Number.NaN, range),
    write: String,
  };
}

/** One of a closed list of words. */
export function oneOf<const T extends string>(initial: NoInfer<T>, words: readonly T[]): Field<T> {
  return {
    initial,
    read: (written) => words.find((word) => word === written),
    write: (value) => value,
  };
}

/** Free text of at most `maxLength` UTF-16 units; a longer one in the address is not used at all. */
export function text(initial: string, maxLength: number): Field<string> {
  return {
    initial,
    read: (written) => (written.length <= maxLength ? written : undefined),
    write: (value) => value,
  };
}

/** A moment as ISO 8601; empty where none is named. */
export const moment: Field<string> = {
  initial: '',
  read: (written) => (Number.isNaN(Date.parse(written)) ? undefined : written),
  write: (value) => value,
};

/** On or off, written `1` or `0`. */
export function flag(initial: boolean): Field<boolean> {
  return {
    initial,
    read: (written) => (written === '1' ? true : written === '0' ? false : undefined),
    write: (value) => (value ? '1' : '0'),
  };
}

function within(value: number, { min, max }: Range): number | undefined {
  // Adding zero turns a negative zero, which would be written as "0", into the zero it comes back as.
  return value >= min && value <= max ? value + 0 : undefined;
}

/** A wrong default is a bug of the screen, so it throws. */
function inRange(initial: number, range: Range): number {
  if (within(initial, range) === undefined) {
    throw new RangeError(`initial ${initial} lies outside ${range.min} to ${range.max}`);
  }
  return initial;
}
