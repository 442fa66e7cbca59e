/** A reply of Redis, by RESP2 (https://redis.io/docs/latest/develop/reference/protocol-spec/). */
export type Reply = string | number | null | RedisRefusal | readonly Reply[];

/** An error reply. */
export class RedisRefusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Encodes a command as an array of strings. */
export function encodeCommand(words: readonly string[]): Uint8Array {
  const parts = words.map((word) => `$${encoder.encode(word).byteLength}\r\n${word}\r\n`);
  return encoder.encode(`*${words.length}\r\n${parts.join('')}`);
}

/** The maximum size of a reply. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The maximum depth of nested arrays. */
const MAX_DEPTH = 8;

interface Read {
  readonly reply: Reply;
  /** The offset of the next reply. */
  readonly end: number;
}

/** Decodes replies from bytes in arbitrary chunks. */
export class ReplyReader {
  #bytes = new Uint8Array();

  /** The replies complete so far. @throws Error for bytes that are not RESP2 */
  push(bytes: Uint8Array): readonly Reply[] {
    const all = new Uint8Array(this.#bytes.byteLength + bytes.byteLength);
    all.set(this.#bytes);
    all.set(bytes, this.#bytes.byteLength);
    const replies: Reply[] = [];
    let start = 0;
    for (let read = readAt(all, start); read; read = readAt(all, start)) {
      replies.push(read.reply);
      start = read.end;
    }
    this.#bytes = all.slice(start);
    if (this.#bytes.byteLength > MAX_BYTES) {
      throw new Error(`a reply holds more than ${MAX_BYTES} bytes`);
    }
    return replies;
  }
}

/** The reply at an offset; undefined where it is incomplete. */
function readAt(bytes: Uint8Array, start: number, depth = 0): Read | undefined {
  const lineEnd = bytes.indexOf(CR, start);
  if (lineEnd === -1 || lineEnd + 1 >= bytes.byteLength) return undefined;
  const line = decoder.decode(bytes.subarray(start + 1, lineEnd));
  const end = lineEnd + 2;
  const type = String.fromCharCode(bytes[start] ?? 0);
  switch (type) {
    case '+':
      return { reply: line, end };
    case '-':
      return { reply: new RedisRefusal(line), end };
    case ':':
      return { reply: numberIn(line), end };
    case '$':
      return readText(bytes, lengthIn(line), end);
    case '*':
      return readArray(bytes, lengthIn(line), { start: end, depth });
    default:
      throw new Error(`got "${type}${line.slice(0, 20)}", expected a reply of RESP2`);
  }
}

const CR = 13;

function readText(bytes: Uint8Array, length: number, start: number): Read | undefined {
  if (length === -1) return { reply: null, end: start };
  const end = start + length + 2;
  if (end > bytes.byteLength) return undefined;
  return { reply: decoder.decode(bytes.subarray(start, end - 2)), end };
}

function readArray(
  bytes: Uint8Array,
  length: number,
  { start, depth }: { readonly start: number; readonly depth: number },
): Read | undefined {
  if (depth === MAX_DEPTH) throw new Error(`arrays nested deeper than ${MAX_DEPTH} levels`);
  if (length === -1) return { reply: null, end: start };
  const items: Reply[] = [];
  let end = start;
  for (let i = 0; i < length; i++) {
    const item = readAt(bytes, end, depth + 1);
    if (!item) return undefined;
    items.push(item.reply);
    end = item.end;
  }
  return { reply: items, end };
}

function numberIn(line: string): number {
  if (/^-?\d{1,15}$/.test(line)) return Number(line);
  throw new Error(`got "${line.slice(0, 20)}", expected a whole number`);
}

/** A length, or -1 for null: a smaller one would point back to bytes already read. */
function lengthIn(line: string): number {
  const length = numberIn(line);
  if (length >= -1) return length;
  throw new Error(`got the length ${length}, expected -1 or more`);
}

/** The address of a Redis server, with credentials. */
export interface RedisAddress {
  readonly hostname: string;
  readonly port: number;
  /** Whether the connection is encrypted. */
  readonly isSecure: boolean;
  readonly username: string;
  readonly password: string;
}

const DEFAULT_PORT = 6379;

/** Parses DISTRIBUTED_WS_REDIS. @throws TypeError where it is not the address of a Redis server */
export function parseRedisAddress(setting: string): RedisAddress {
  const url = URL.parse(setting);
  const isSecure = url?.protocol === 'rediss:';
  if (!url?.hostname || !(isSecure || url.protocol === 'redis:')) {
    // Not the setting itself, which may contain a password.
    const found = url ? `an address with the scheme ${url.protocol}` : 'no address';
    throw new TypeError(
      `DISTRIBUTED_WS_REDIS is ${found}, expected redis://[user:password@]host[:port] or rediss://…`,
    );
  }
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    isSecure,
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}
