import type {
  AttributesOf,
  Derived,
  HostValue,
  Kernel,
  OneOf,
  Roles,
  Schema,
} from '../graph/kernel.ts';
import type { Writing } from '../kernel-language/written-kernel.ts';

/**
 * A row of the table: the operands, the static attributes, and numbers that follow from those. A kernel that
 * is written in the kernel language has what it computes, too; the others have an implementation in each
 * backend, which takes everything by the names of the row: bindings of a shader, the order of the words of a
 * WASM kernel follow from here.
 */
interface Row {
  readonly operands: Roles;
  readonly attributes: Schema;
  readonly derived?: Readonly<Record<string, Derived>>;
  readonly write?: Writing;
}

type Area<T extends Readonly<Record<string, Row>>> = {
  readonly [K in keyof T]: Kernel<T[K]['operands'], T[K]['attributes']> &
    (T[K] extends { readonly write: Writing } ? { readonly write: Writing } : unknown);
};

/** A row derives numbers from its own attributes alone. */
type Checked<T extends Readonly<Record<string, Row>>> = {
  readonly [K in keyof T]: {
    readonly derived?: Readonly<
      Record<string, { readonly of: (attributes: AttributesOf<T[K]['attributes']>) => number }>
    >;
  };
};

/** Declares the kernels of an area; their shaders lie in `shaders/<area>/<kernel>.wgsl`. */
export function kernelsOf<const T extends Readonly<Record<string, Row>>>(
  area: string,
  rows: T & Checked<T>,
): Area<T> {
  const named = Object.entries(rows).map(([name, row]) => [name, { name, area, ...row }]);
  // Object.fromEntries loses which name has which row.
  return Object.fromEntries(named) as Area<T>;
}

/** A whole number, such as a size, for the column `derived`. */
export function int<A>(of: (attributes: A) => number) {
  return { type: 'int', of } as const;
}

/** The same for a number that is computed in float64 and rounded once. */
export function float<A>(of: (attributes: A) => number) {
  return { type: 'float', of } as const;
}

export function oneOf<const M extends Readonly<Record<string, Schema>>>(groups: M): OneOf<M> {
  return { oneOf: groups };
}

export function hostValue<T>(): HostValue<T> {
  return { host: true };
}

/** Add to what the target holds instead of overwriting it. */
export const ACCUMULATE = { accumulate: 'flag' } as const;

export const ROWS = {
  rows: 'int',
  /** Features of a row. */
  width: 'int',
} as const;

export const STEPS = {
  /** Time steps T. */
  steps: 'int',
  /** Rows per time step, batch times sequence. */
  rows: 'int',
  /** Features of a row. */
  width: 'int',
} as const;

/** Rows of sequences that lie one after another. */
export const SEQUENCES = {
  ...ROWS,
  /** Tokens of a sequence; `rows` is a multiple of it. */
  sequence: 'int',
} as const;

export const PARTIAL_SUMS = {
  ...ROWS,
  /** Rows that one line of the partial sums covers. */
  chunk: 'int',
} as const;

/** Attributes of sums in two parts: first of chunks, then of those. */
export const CHUNKS = {
  count: 'int',
  /** Elements that one place of the partial sums covers. */
  chunk: 'int',
} as const;

/** Where the first part is. */
export const BY_CHUNKS = {
  over: { line: 'count / chunk', place: 'chunk' },
  until: 'min(chunk, count - line * chunk)',
} as const;
