import { type Bound, grainOf, type Real, type Site } from './commands.ts';

/* The sizes of engine/backends/wasm/assembly/rows.ts. */
const BLOCK = 256;
const GROUP = 16;

/** A kernel that works element by element. */
export function perElement(
  kernel: string,
  count: number,
  args: readonly (number | Real)[],
  { threads }: Site,
): Bound {
  const items = Math.ceil(count / BLOCK);
  return { commands: [{ kernel, items, grain: grainOf(items, threads, 4), args }] };
}

/** A kernel that works row by row. */
export function perRow(
  kernel: string,
  rows: number,
  args: readonly (number | Real)[],
  { threads }: Site,
): Bound {
  return { commands: [{ kernel, items: rows, grain: grainOf(rows, threads), args }] };
}

/** A kernel that adds up chunks of rows. */
export function perChunk(
  kernel: string,
  { rows, width, chunk }: { rows: number; width: number; chunk: number },
  args: readonly number[],
  { threads }: Site,
): Bound {
  const items = Math.ceil(rows / chunk) * Math.ceil(width / GROUP);
  return { commands: [{ kernel, items, grain: grainOf(items, threads), args }] };
}

/** A kernel that goes down the rows of groups of columns. */
export function perGroup(
  kernel: string,
  width: number,
  args: readonly number[],
  { threads }: Site,
): Bound {
  const items = Math.ceil(width / GROUP);
  return { commands: [{ kernel, items, grain: grainOf(items, threads), args }] };
}
