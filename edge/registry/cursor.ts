import { sha256 } from '@noble/hashes/sha2.js';
import * as z from 'zod';
import type { ModelQuery } from '../contract/model-list.ts';
import { Problem } from '../http/problem.ts';

/** Where the page before ended, and for which filters. */
const Position = z.tuple([z.int().positive(), z.string()]);

type Filters = Omit<ModelQuery, 'cursor' | 'limit'>;

/** An opaque mark of the place behind the model with this sequence number. */
export function writeCursor(seq: number, filters: Filters): string {
  return btoa(JSON.stringify([seq, fingerprint(filters)])).replace(/=+$/, '');
}

/** @throws Problem invalid_parameter where it is none of ours, or one of another list */
export function readCursor(cursor: string, filters: Filters): number {
  const position = Position.safeParse(decode(cursor));
  if (!position.success) throw invalid('expected the next_cursor of the page before');
  const [seq, madeFor] = position.data;
  if (madeFor !== fingerprint(filters)) throw invalid('it belongs to a list with other filters');
  return seq;
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(atob(cursor));
  } catch {
    return undefined;
  }
}

function fingerprint({ name, model_type, framework, alias, tag }: Filters): string {
  const text = JSON.stringify([name, model_type, framework, alias, tag.toSorted()]);
  const hash = sha256(new TextEncoder().encode(text)).subarray(0, 6);
  return btoa(String.fromCharCode(...hash));
}

function invalid(detail: string): Problem {
  return new Problem('invalid_parameter', `cursor: ${detail}`, {
    errors: [{ parameter: 'cursor', code: 'invalid_cursor', detail }],
  });
}
