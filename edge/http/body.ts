import { MAX_JSON_BYTES } from '../contract/endpoint.ts';
import { createPacer } from './body-pace.ts';
import { Problem } from './problem.ts';

/**
 * The value of a JSON body.
 *
 * @throws Problem unsupported_media_type, payload_too_large or invalid_json
 */
export async function readJson(
  request: Request,
  maxBytes: number = MAX_JSON_BYTES,
): Promise<unknown> {
  expectJson(request);
  return jsonOf(await readBytes(chunksOf(request.body), maxBytes));
}

/** The same where a request without a body says `{}`, whatever its content type. @throws as `readJson` */
export async function readJsonIfAny(
  request: Request,
  maxBytes: number = MAX_JSON_BYTES,
): Promise<unknown> {
  const bytes = await readBytes(chunksOf(request.body), maxBytes);
  if (bytes.length === 0) return {};
  expectJson(request);
  return jsonOf(bytes);
}

function expectJson({ headers }: Request): void {
  const type = mediaTypeOf(headers);
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw unsupported(type, 'application/json');
  }
}

/** The value of bytes that are JSON. @throws Problem invalid_json */
export function jsonOf(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(textOf(bytes));
  } catch (error) {
    throw new Problem('invalid_json', `The body cannot be read as JSON: ${messageOf(error)}.`);
  }
  refuseDeep(value);
  return value;
}

/** Maximum nesting of a JSON body, safe for recursive code. */
const MAX_DEPTH = 100;

/** Level by level, so that the depth of a body costs no stack. */
function refuseDeep(value: unknown): void {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      const detail = `The body is nested deeper than ${MAX_DEPTH} levels.`;
      throw new Problem('invalid_json', detail);
    }
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

/** The text of bytes. @throws TypeError where they are not UTF-8 */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);

/** The media type of a body in lower case, without its parameters. */
export function mediaTypeOf(headers: Headers): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

export function unsupported(type: string, expected: string): Problem {
  const got = type === '' ? 'without a content type' : `of type ${type.slice(0, 100)}`;
  return new Problem('unsupported_media_type', `The body came ${got}, expected ${expected}.`, {
    headers: { accept: expected },
  });
}

/** Reads a body whole. @throws what `refuse` makes, as soon as it holds more than `limit` bytes */
export async function readBytes(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  refuse: (limit: number) => Problem = tooLarge,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) throw refuse(limit);
    chunks.push(chunk);
  }
  return concat(chunks, size);
}

/**
 * A body as it was before it was packed; exporters pack theirs.
 *
 * @throws Problem unsupported_media_type for another packing than gzip
 */
export function unpacked({
  body,
  headers,
}: Pick<Request, 'body' | 'headers'>): ReadableStream<Uint8Array> | null {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  if (encoding === 'gzip') return body && body.pipeThrough(new DecompressionStream('gzip'));
  if (encoding === 'identity') return body;
  throw new Problem(
    'unsupported_media_type',
    `The body is packed as ${encoding.slice(0, 40)}, expected gzip or nothing.`,
    { headers: { 'accept-encoding': 'gzip' } },
  );
}

const readers = new WeakMap<ReadableStream, AsyncIterable<Uint8Array>>();

/**
 * The chunks of a body, through one reader that is never given back: a loop that ends early leaves
 * the rest for the next loop, also for one that asks for the chunks of the same body again.
 *
 * @throws Problem body_cut_off, while it is read, where the sender hangs up; body_too_slow where it stalls
 */
export function chunksOf(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  if (!body) return NO_CHUNKS;
  const known = readers.get(body);
  if (known) return known;
  const reader = body.getReader();
  const paced = createPacer(body);
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    const read = await paced(reader.read()).catch((error: unknown) => {
      if (error instanceof Problem) throw error;
      throw new Problem('body_cut_off', 'The body ended before it was complete.');
    });
    return read.done ? { done: true, value: undefined } : read;
  };
  const chunks = { [Symbol.asyncIterator]: () => ({ next }) };
  readers.set(body, chunks);
  return chunks;
}

const NO_CHUNKS: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

/** Silence after which a client is taken to await the response. */
const PATIENCE_MS = 1_000;
/** Maximum time for which the rest of a refused body is drained. */
const MAX_DISCARD_MS = 30_000;

/**
 * Reads what is left of a body and drops it. Most clients only look at an answer once they have
 * sent everything: refused in the middle, they report a broken connection instead of the refusal.
 */
export async function discardRest(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<void> {
  const until = Date.now() + MAX_DISCARD_MS;
  const { promise: paused, resolve: giveUp } = Promise.withResolvers<void>();
  let timer = setTimeout(giveUp, PATIENCE_MS);
  const read = async () => {
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > limit && Date.now() > until) return;
      clearTimeout(timer);
      timer = setTimeout(giveUp, PATIENCE_MS);
    }
  };
  await Promise.race([read(), paused]);
  clearTimeout(timer);
}

const expectations = new WeakMap<Request, number>();

/** Notes how much the body of a request may hold: all of that is read where it is refused, however long it takes. */
export function expectBody(request: Request, maxBytes: number): void {
  expectations.set(request, maxBytes);
}

/** As `discardRest`, for the body of a refused request; one that was handed on is left alone. */
export async function discardRefused(request: Request, refusal: unknown): Promise<void> {
  const { body } = request;
  if (!body || (body.locked && !readers.has(body))) return;
  const isTooLarge = refusal instanceof Problem && refusal.code === 'payload_too_large';
  const expected = isTooLarge ? 0 : (expectations.get(request) ?? 0);
  // One who hangs up does not read the refusal either.
  await discardRest(chunksOf(body), expected).catch(() => {});
}

export const tooLarge = (limit: number) =>
  new Problem('payload_too_large', `The body holds more than ${limit} bytes.`);

/** One array of all chunks, which hold `size` bytes together. */
export function concat(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
