import { sha256 } from '@noble/hashes/sha2.js';
import * as z from 'zod/mini';
import { Problem } from './problem.ts';

/** Where the page before ended. */
const Position = z.int().check(z.positive());

/** The position of the first page of a list that runs backwards. */
const FROM_THE_END = Number.MAX_SAFE_INTEGER;

/** An opaque mark of a place in a list with these filters: JSON, which says the same for the same filters. */
export function writeCursor(position: unknown, filters: unknown): string {
  return btoa(JSON.stringify([position, fingerprint(filters)])).replace(/=+$/, '');
}

/**
 * The place a cursor marks; the end of the list where there is no cursor.
 *
 * @throws Problem invalid_parameter where it is none of ours, or one of another list
 */
export const readCursor = (cursor: string | undefined, filters: unknown): number =>
  cursor === undefined ? FROM_THE_END : readPosition(cursor, Position, filters);

/** As `readCursor`, of a list whose places have another form. */
export function readPosition<S extends z.ZodMiniType>(
  cursor: string,
  form: S,
  filters: unknown,
): z.output<S> {
  const position = z.tuple([form, z.string()]).safeParse(decode(cursor));
  if (!position.success) throw invalid('expected the next_cursor of the page before');
  const [at, madeFor] = position.data;
  if (madeFor !== fingerprint(filters)) throw invalid('it belongs to a list with other filters');
  return at;
}

/** Members of a page about the rest of its list. */
export function pageEnd(next: number | undefined, filters: unknown) {
  return {
    has_more: next !== undefined,
    next_cursor: next === undefined ? null : writeCursor(next, filters),
  };
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(atob(cursor));
  } catch {
    return undefined;
  }
}

function fingerprint(filters: unknown): string {
  const hash = sha256(new TextEncoder().encode(JSON.stringify(filters))).subarray(0, 6);
  return btoa(String.fromCharCode(...hash));
}

function invalid(detail: string): Problem {
  return new Problem('invalid_parameter', `cursor: ${detail}`, {
    errors: [{ parameter: 'cursor', code: 'invalid_cursor', detail }],
  });
}
