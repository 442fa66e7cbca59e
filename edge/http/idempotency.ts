import type { Begun, StoredResponse } from '../idempotency/machine.ts';
import { DEFAULT_TEAM } from '../contract/team.ts';
import type { Caller } from './caller.ts';
import { chunksOf, mediaTypeOf, readBytes } from './body.ts';
import { Problem } from './problem.ts';

export {
  type Begun,
  decide,
  KEPT_MS,
  type StoredResponse,
  LEASE_MS,
  type RequestState,
} from '../idempotency/machine.ts';

const MAX_ANSWER_BYTES = 256 * 1024;
const KEPT_HEADERS = ['content-type', 'etag', 'location', 'cache-control'];

/** Storage of a caller's idempotent requests and their responses. */
export interface IdempotencyRecords {
  begin(scope: string, fingerprint: string): Promise<Begun>;
  finish(number: number, answer: StoredResponse | null): Promise<void>;
  release(number: number): Promise<void>;
}

/** Owner of idempotency keys; the same person in another team is a separate owner. */
export function idempotencyOwner(caller: Caller): string {
  if (!('id' in caller)) return caller.kind;
  const { kind, id, team } = caller;
  return kind === 'token' && team !== DEFAULT_TEAM ? `${kind}:${team}:${id}` : `${kind}:${id}`;
}

interface Repeatable {
  readonly request: Request;
  /** False for responses with a secret, which are not stored. */
  readonly keeps: boolean;
  /** Maximum size of the body, which is buffered. */
  readonly maxBytes: number;
}

/**
 * True for idempotent requests: a POST with an Idempotency-Key and JSON, or
 * no body. Other bodies are files, which are identified by their digest.
 */
export function isRepeatable({ method, headers }: Request): boolean {
  if (method !== 'POST' || !headers.has('idempotency-key')) return false;
  const type = mediaTypeOf(headers);
  return type === '' || type === 'application/json' || type.endsWith('+json');
}

/**
 * Executes a request once per Idempotency-Key, and replays its response when it is
 * repeated. A refusal has no effect, so it is not stored and its key is released.
 *
 * @throws Problem idempotency_mismatch, idempotency_in_flight, already_exists, invalid_parameter or
 *   payload_too_large, and what `run` throws
 */
export async function respondOnce(
  repeats: IdempotencyRecords,
  { request, keeps, maxBytes }: Repeatable,
  run: (request: Request) => Promise<Response>,
): Promise<Response> {
  const key = keyOf(request.headers);
  const body = await readBytes(chunksOf(request.body), maxBytes);
  const { pathname, search } = new URL(request.url);
  const begun = await repeats.begin(`${pathname}${search} ${key}`, await fingerprintOf(body));
  if (begun.kind === 'replay') return replayed(begun.answer);
  if (begun.kind !== 'start') throw refusalOf(begun.kind, key);
  // A body that was empty is read already, too.
  const again = request.body ? new Request(request, { method: 'POST', body }) : request;
  const answer = await run(again).catch(async (error: unknown) => {
    await repeats.release(begun.number);
    throw error;
  });
  if (answer.ok) await repeats.finish(begun.number, keeps ? await keptOf(answer) : null);
  else await repeats.release(begun.number);
  return answer;
}

/** draft-ietf-httpapi-idempotency-key-header writes it in quotes; nearly everybody leaves them out. */
function keyOf(headers: Headers): string {
  const key = (headers.get('idempotency-key') ?? '').replace(/^"(.*)"$/, '$1');
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Problem('invalid_parameter', 'The Idempotency-Key must be 1 to 255 visible letters.', {
    errors: [
      { parameter: 'idempotency-key', code: 'invalid_format', detail: `got ${key.length} letters` },
    ],
  });
}

async function fingerprintOf(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', body);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A response in its stored form, or null if it is too large or not storable: it is streamed on. */
async function keptOf(answer: Response): Promise<StoredResponse | null> {
  if (answer.body !== null && !mediaTypeOf(answer.headers).endsWith('json')) return null;
  const body = await answer.clone().text();
  if (body.length > MAX_ANSWER_BYTES) return null;
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status: answer.status, headers: Object.fromEntries(headers), body };
}

function replayed({ status, headers, body }: StoredResponse): Response {
  return new Response(body === '' ? null : body, {
    status,
    headers: { ...headers, 'idempotency-replayed': 'true' },
  });
}

function refusalOf(kind: 'in-flight' | 'mismatch' | 'not-kept', key: string): Problem {
  switch (kind) {
    case 'mismatch':
      return new Problem(
        'idempotency_mismatch',
        `The Idempotency-Key ${key} was used here with another body.`,
      );
    case 'in-flight':
      return new Problem(
        'idempotency_in_flight',
        `A request with the Idempotency-Key ${key} is being carried out.`,
        { headers: { 'retry-after': '1' } },
      );
    case 'not-kept':
      return new Problem(
        'already_exists',
        `The request with the Idempotency-Key ${key} was carried out; its answer is not kept.`,
      );
  }
}
