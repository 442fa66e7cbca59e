import { EngineError } from './plugin-api.ts';

/** Bound of one message between a plugin and its host, whoever sends it. */
const messageLimits = {
  jsonBytes: 4 * 1024 * 1024,
  arrayBytes: 128 * 1024 * 1024,
  depth: 48,
  items: 500_000,
} as const;

/** Stands for what JSON does not have: an array `{"$": [offset, length]}`, or the name of a number. */
const MARK = '$';
const HEADER_BYTES = 8;
/** A message below this is sent in one go: each takes longer than to copy it. */
const SMALL_BYTES = 64 * 1024;
const ODD_NUMBERS = new Map([NaN, Infinity, -Infinity].map((value) => [String(value), value]));
const UNSENT = [Map, Set, Promise, ArrayBuffer];

/**
 * A message as bytes: the lengths of both parts, JSON, then the numbers of its arrays.
 *
 * @throws EngineError invalid-setting for what cannot be sent, and for too much
 */
export function encodeMessage(message: unknown): readonly Uint8Array<ArrayBuffer>[] {
  const arrays: Arrays = { list: [], length: 0 };
  const text = new TextEncoder().encode(JSON.stringify(plainOf(message, arrays, newWalk())));
  // Spaces at the end, so that the arrays lie at multiples of their numbers.
  const padded = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(32);
  padded.set(text);
  const arrayBytes = arrays.length * Float32Array.BYTES_PER_ELEMENT;
  refuseLengths(padded.length, arrayBytes);
  const header = new Uint32Array([padded.length, arrayBytes]);
  const parts = [new Uint8Array(header.buffer), padded, ...arrays.list.map(bytesOf)];
  return HEADER_BYTES + padded.length + arrayBytes < SMALL_BYTES ? [joined(parts)] : parts;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Puts together what comes in pieces; takes nothing in that exceeds the limits. */
export class MessageReader {
  #pieces: Uint8Array[] = [];
  #length = 0;
  #needed = HEADER_BYTES;
  #jsonBytes: number | undefined;

  /** @throws EngineError invalid-setting; nothing is to be read after that */
  *push(piece: Uint8Array): Generator<unknown, void> {
    this.#pieces.push(piece);
    this.#length += piece.length;
    while (this.#length >= this.#needed) {
      const part = this.#take(this.#needed);
      if (this.#jsonBytes === undefined) {
        const [jsonBytes = 0, arrayBytes = 0] = new Uint32Array(part.buffer);
        refuseLengths(jsonBytes, arrayBytes);
        this.#jsonBytes = jsonBytes;
        this.#needed = jsonBytes + arrayBytes;
      } else {
        const message = decode(part, this.#jsonBytes);
        this.#jsonBytes = undefined;
        this.#needed = HEADER_BYTES;
        yield message;
      }
    }
  }

  #take(length: number): Uint8Array<ArrayBuffer> {
    const part = new Uint8Array(length);
    let at = 0;
    let used = 0;
    for (const piece of this.#pieces) {
      const taken = piece.subarray(0, length - at);
      part.set(taken, at);
      at += taken.length;
      if (taken.length < piece.length) {
        this.#pieces[used] = piece.subarray(taken.length);
        break;
      }
      used += 1;
    }
    this.#pieces.splice(0, used);
    this.#length -= length;
    return part;
  }
}

function refuseLengths(jsonBytes: number, arrayBytes: number): void {
  const lengths = [
    ['bytes of JSON', jsonBytes, messageLimits.jsonBytes],
    ['bytes of arrays', arrayBytes, messageLimits.arrayBytes],
  ] as const;
  for (const [what, length, most] of lengths) {
    if (length > most || length % 4 !== 0)
      throw refused(`it has ${length} ${what}`, `up to ${most}`);
  }
}

function decode(part: Uint8Array<ArrayBuffer>, jsonBytes: number): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(part.subarray(0, jsonBytes)));
  } catch {
    throw refused('it is no JSON', 'a message');
  }
  return restored(parsed, new Float32Array(part.buffer, jsonBytes), newWalk());
}

/** How deep a walk is, and how many values it has met. */
interface Walk {
  depth: number;
  items: number;
}
const newWalk = (): Walk => ({ depth: 0, items: 0 });

function within<T>(walk: Walk, work: () => T): T {
  walk.depth += 1;
  const { depth, items } = messageLimits;
  if (walk.depth > depth) throw refused('it is nested deeper', `up to ${depth} levels`);
  const made = work();
  walk.depth -= 1;
  if (walk.items > items) throw refused('it has more values', `up to ${items}, numbers in arrays`);
  return made;
}

/** The arrays of a message in turn, and how many numbers they have. */
interface Arrays {
  readonly list: Float32Array[];
  length: number;
}

function plainOf(value: unknown, arrays: Arrays, walk: Walk): unknown {
  walk.items += 1;
  if (typeof value === 'number') return Number.isFinite(value) ? value : { [MARK]: String(value) };
  if (value === null || ['undefined', 'string', 'boolean'].includes(typeof value)) return value;
  if (typeof value !== 'object') throw refused(`a ${typeof value}`, 'what JSON has, or arrays');
  if (value instanceof Float32Array) {
    const offset = arrays.length;
    arrays.list.push(value);
    arrays.length += value.length;
    return { [MARK]: [offset, value.length] };
  }
  if (ArrayBuffer.isView(value) || UNSENT.some((kind) => value instanceof kind)) {
    throw refused(`a ${value.constructor.name}`, 'what JSON has, or a Float32Array');
  }
  return within(walk, () => {
    if (Array.isArray(value)) return value.map((item) => plainOf(item, arrays, walk));
    const members = Object.entries(value).map(([name, item]) => [
      name,
      plainOf(item, arrays, walk),
    ]);
    const copy: unknown = Object.fromEntries(members);
    return Object.hasOwn(value, MARK) ? { [MARK]: copy } : copy;
  });
}

function restored(value: unknown, numbers: Float32Array, walk: Walk): unknown {
  walk.items += 1;
  if (typeof value !== 'object' || value === null) return value;
  return within(walk, () => {
    if (Array.isArray(value)) return value.map((item) => restored(item, numbers, walk));
    const marked = Object.hasOwn(value, MARK)
      ? (value as Record<string, unknown>)[MARK]
      : undefined;
    if (typeof marked === 'string') return ODD_NUMBERS.get(marked);
    if (Array.isArray(marked)) return arrayAt(marked, numbers);
    const members = Object.entries((marked ?? value) as object);
    return Object.fromEntries(
      members.map(([name, item]) => {
        if (name === '__proto__') throw refused('a member is named __proto__', 'another name');
        return [name, restored(item, numbers, walk)];
      }),
    );
  });
}

function arrayAt([offset, length]: readonly unknown[], numbers: Float32Array): Float32Array {
  const isPlace = [offset, length].every((at) => Number.isSafeInteger(at) && Number(at) >= 0);
  const end = Number(offset) + Number(length);
  // A copy: what lies beside it is another's.
  if (isPlace && end <= numbers.length) return numbers.slice(Number(offset), end);
  throw refused('an array lies outside of it', `within ${numbers.length} numbers`);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

const refused = (what: string, expected: string) =>
  new EngineError('invalid-setting', `it cannot be sent: ${what}, expected ${expected}`);
