import type { HostValue, Kernel, OneOf, Roles, Schema } from '../graph/kernel.ts';
import type { Writing } from '../kernel-language/written-kernel.ts';

/**
 * A row of the table: the operands in binding order, and the static attributes. A kernel that is written in
 * the kernel language has what it computes, too; the others have an implementation in each backend.
 */
interface Row {
  readonly operands: Roles;
  readonly attributes: Schema;
  readonly write?: Writing;
}

type Area<T extends Readonly<Record<string, Row>>> = {
  readonly [K in keyof T]: Kernel<T[K]['operands'], T[K]['attributes']> &
    (T[K] extends { readonly write: Writing } ? { readonly write: Writing } : unknown);
};

/** Declares the kernels of an area; their shaders lie in `shaders/<area>/<kernel>.wgsl`. */
export function kernelsOf<const T extends Readonly<Record<string, Row>>>(
  area: string,
  rows: T,
): Area<T> {
  const named = Object.entries(rows).map(([name, row]) => [name, { name, area, ...row }]);
  // Object.fromEntries loses which name has which row.
  return Object.fromEntries(named) as Area<T>;
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
