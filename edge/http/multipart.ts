import { concat, readBytes } from './body.ts';
import { Problem } from './problem.ts';

/** Limits of a part's headers and of the number of parts. */
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_PARTS = 16;
const MAX_FIELD_BYTES = 4 * 1024;

const LINE_BREAK = new TextEncoder().encode('\r\n');
const END_OF_HEAD = new TextEncoder().encode('\r\n\r\n');

/** One part of a form. Its content has to be read, or passed over, before the next part is asked for. */
interface FormPart {
  readonly name: string;
  /** Set where the part is a file. */
  readonly filename: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The text of a part that is a plain field. @throws Problem validation_failed where it is long */
export async function fieldText({ name, content }: FormPart): Promise<string> {
  const tooLong = (limit: number) => broken(`its field ${name} holds more than ${limit} bytes`);
  return new TextDecoder().decode(await readBytes(content, MAX_FIELD_BYTES, tooLong));
}

/**
 * Reads `multipart/form-data` (RFC 7578) part by part, without holding a part's content.
 *
 * @param boundary without the leading dashes, as the content type names it
 * @throws Problem validation_failed where the form is broken or cut off
 */
export async function* formParts(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<FormPart> {
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  // The first delimiter has no line before it; with this one it is like every other.
  const reader = new DelimitedReader(startedWith(LINE_BREAK, body));
  await drain(reader.until(delimiter));
  for (let count = 0; !(await isEnd(reader)); count++) {
    if (count === MAX_PARTS) throw broken(`it has more than ${MAX_PARTS} parts`);
    const head = await readBytes(reader.until(END_OF_HEAD), MAX_HEAD_BYTES, headTooLong);
    const content = reader.until(delimiter);
    yield { ...parseHead(new TextDecoder().decode(head)), content };
    await drain(content);
  }
}

/** The boundary a content type names. @throws Problem unsupported_media_type */
export function boundaryOf(contentType: string): string {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary !== undefined) return boundary;
  throw new Problem('unsupported_media_type', 'multipart/form-data came without a boundary.');
}

const isEnd = async (reader: DelimitedReader) =>
  new TextDecoder().decode(await reader.peek(2)) === '--';

/** The head starts with the rest of the boundary's line. */
function parseHead(head: string): Pick<FormPart, 'name' | 'filename'> {
  const disposition = /\r\ncontent-disposition:\s*form-data([^\r]*)/i.exec(`${head}\r`)?.[1];
  const parameters = new Map<string, string>();
  for (const [, key = '', quoted, plain] of (disposition ?? '').matchAll(PARAMETER)) {
    parameters.set(key.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '');
  }
  const name = parameters.get('name');
  if (name === undefined) throw broken('a part has no name');
  return { name, filename: parameters.get('filename') };
}

const PARAMETER = /;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*))/g;

/** Hands out a stream piece by piece, up to a delimiter that may lie across its chunks. */
class DelimitedReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffer = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The bytes before the next delimiter, which is skipped. @throws Problem where there is none */
  async *until(delimiter: Uint8Array): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = indexOf(this.#buffer, delimiter);
      const end = at >= 0 ? at : Math.max(0, this.#buffer.byteLength - delimiter.byteLength + 1);
      const piece = this.#buffer.subarray(0, end);
      this.#buffer = this.#buffer.subarray(at >= 0 ? end + delimiter.byteLength : end);
      if (piece.byteLength > 0) yield piece;
      if (at >= 0) return;
      if (!(await this.#more())) throw broken('it ends in the middle of a part');
    }
  }

  /** The next bytes, which stay where they are; fewer where the stream ends. */
  async peek(count: number): Promise<Uint8Array> {
    while (this.#buffer.byteLength < count && (await this.#more()));
    return this.#buffer.subarray(0, count);
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done) return false;
    const size = this.#buffer.byteLength + next.value.byteLength;
    this.#buffer = concat([this.#buffer, next.value], size);
    return true;
  }
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + wanted.byteLength > bytes.byteLength) return -1;
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

async function* startedWith(
  start: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield start;
  yield* rest;
}

async function drain(content: AsyncIterable<Uint8Array>): Promise<void> {
  // oxlint-disable-next-line no-unused-vars -- only the end of it matters
  for await (const _ of content);
}

const headTooLong = (limit: number) => broken(`the head of a part holds more than ${limit} bytes`);

const broken = (why: string) =>
  new Problem('validation_failed', `The multipart form cannot be read: ${why}.`);
