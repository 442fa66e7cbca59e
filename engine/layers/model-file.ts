import { EngineError } from '../errors.ts';

/** A file that `save` wrote, or where it can be fetched. */
export type ModelFile = Uint8Array | ArrayBuffer | Blob | URL | string;

/** Bytes that are fetched at most where nothing else is said. */
const MAX_FILE_BYTES = 2 ** 31;

/** The bytes of a file, and its name for messages. Throws EngineError `checkpoint-missing`. */
export async function modelFile(
  source: ModelFile,
  maxBytes = MAX_FILE_BYTES,
): Promise<{ readonly bytes: Uint8Array; readonly name?: string }> {
  if (source instanceof Uint8Array) return { bytes: source };
  if (source instanceof ArrayBuffer) return { bytes: new Uint8Array(source) };
  if (source instanceof Blob) return { bytes: new Uint8Array(await source.arrayBuffer()) };
  if (typeof source === 'string' || source instanceof URL) {
    return { bytes: await fetchBytes(source, maxBytes), name: String(source) };
  }
  const kind = Array.isArray(source) ? 'an array' : String(source);
  throw missing('load', `it is given ${kind}: expected a URL, or the bytes that save() wrote`);
}

async function fetchBytes(source: URL | string, maxBytes: number): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(source);
  } catch (error) {
    throw missing(source, 'it cannot be fetched', error);
  }
  const expected = 'expected a file that save() wrote';
  if (!response.ok) throw missing(source, `status ${response.status}: ${expected}`);
  let bytes: Uint8Array | undefined;
  try {
    bytes = await bytesOf(response, maxBytes);
  } catch (error) {
    throw missing(source, `it ends before its time: ${expected}`, error);
  }
  if (bytes) return bytes;
  throw missing(source, `it has more than ${maxBytes} bytes: ${expected}, or a larger maxBytes`);
}

/** Chunk by chunk, as a server may say nothing of the length, or lie; undefined where there are too many. */
async function bytesOf(response: Response, most: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    chunks.push(part.value);
    length += part.value.length;
    if (length <= most) continue;
    await reader?.cancel();
    return undefined;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

const missing = (place: URL | string, what: string, cause?: unknown): EngineError =>
  new EngineError('checkpoint-missing', `${place}: ${what}`, { cause });
