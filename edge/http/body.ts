import { Problem } from './problem.ts';

/** The most a JSON body may hold. */
const MAX_JSON_BYTES = 1024 * 1024;

/**
 * The value of a JSON body of at most 1 MiB.
 *
 * @throws Problem unsupported_media_type, payload_too_large or invalid_json
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = mediaTypeOf(request.headers);
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw unsupported(type, 'application/json');
  }
  const bytes = await readBytes(chunksOf(request.body), MAX_JSON_BYTES);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (error) {
    throw new Problem('invalid_json', `The body cannot be read as JSON: ${messageOf(error)}.`);
  }
}

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
): Promise<Uint8Array> {
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
 * The chunks of a body, through one reader that is never given back: a loop that ends early leaves
 * the rest for the next loop.
 *
 * @throws Problem body_cut_off, while it is read, where the sender hangs up
 */
export function chunksOf(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  const reader = body?.getReader();
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    const read = await reader?.read().catch(() => {
      throw new Problem('body_cut_off', 'The body ended before it was complete.');
    });
    return read?.done === false ? read : { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/**
 * Reads what is left of a body and drops it. Most clients only look at an answer once they have
 * sent everything: refused in the middle, they report a broken connection instead of the refusal.
 */
export async function discardRest(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<void> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > limit) return;
  }
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
