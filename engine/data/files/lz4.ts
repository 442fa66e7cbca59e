import { BoundedReader, type RefuseFile } from './bounded-reader.ts';

const MAGIC = 0x184d2204;
/** Bits of the first byte of a frame's descriptor. */
const [BLOCK_CHECKSUM, CONTENT_SIZE, DICTIONARY] = [0x10, 0x08, 0x01];
const STORED = 0x8000_0000;
/** Blocks have 64 KiB, 256 KiB, 1 MiB or 4 MiB: numbers 4 to 7. */
const MIN_BLOCK_SIZE = 4;
const MIN_MATCH = 4;
/** A token of 15 goes on in the bytes that follow. */
const MORE = 15;

/**
 * Unpacks one LZ4 frame (LZ4 Frame Format 1.6) of at most `maxBytes`. Memory is taken block by block as it is
 * filled. Checksums are not verified. `refuse` gets offsets within `packed`.
 */
export function unpackLz4(packed: Uint8Array, maxBytes: number, refuse: RefuseFile): Uint8Array {
  const reader = new BoundedReader(packed, refuse);
  const { blockBytes, blockTail, start } = readDescriptor(reader);
  const out = new Output(maxBytes, refuse);
  let at = start;
  for (;;) {
    const size = reader.u32(at);
    at += 4;
    if (size === 0) return out.bytes();
    const block = reader.span(at, size & ~STORED, 'a block');
    const limit = out.length + blockBytes;
    if (size & STORED) out.append(block, at);
    else unpackBlock(block, { out, at, refuse });
    if (out.length > limit) refuse(at, 'a block unpacks to more', `at most ${blockBytes} bytes`);
    at += block.length + blockTail;
  }
}

/** The beginning of a frame: the size of its blocks, the bytes behind each, and where the first one is. */
function readDescriptor(reader: BoundedReader) {
  const { refuse } = reader;
  if (reader.u32(0) !== MAGIC) {
    refuse(0, `an LZ4 frame begins with ${reader.u32(0).toString(16)}`, MAGIC.toString(16));
  }
  const [flags, size] = [reader.u8(4), (reader.u8(5) >> 4) & 7];
  if (flags >> 6 !== 1) refuse(4, `the version of LZ4 is ${flags >> 6}`, '1');
  if (size < MIN_BLOCK_SIZE) refuse(5, `the size of blocks is number ${size}`, '4 to 7');
  return {
    blockBytes: 2 ** (8 + 2 * size),
    blockTail: flags & BLOCK_CHECKSUM ? 4 : 0,
    start: 7 + (flags & CONTENT_SIZE ? 8 : 0) + (flags & DICTIONARY ? 4 : 0),
  };
}

interface BlockPlace {
  readonly out: Output;
  readonly at: number;
  readonly refuse: RefuseFile;
}

function unpackBlock(block: Uint8Array, { out, at, refuse }: BlockPlace): void {
  const reader = new BoundedReader(block, (place, found, expected) =>
    refuse(typeof place === 'number' ? at + place : place, found, expected),
  );
  let next = 0;
  const length = (nibble: number) => {
    let sum = nibble;
    for (let byte = nibble === MORE ? 255 : 0; byte === 255; sum += byte) byte = reader.u8(next++);
    return sum;
  };
  while (next < block.length) {
    const token = reader.u8(next++);
    const literals = length(token >> 4);
    out.append(reader.span(next, literals, 'literals'), at + next);
    next += literals;
    // The last sequence has no match.
    if (next === block.length) return;
    const distance = reader.u16(next);
    next += 2;
    out.repeat(distance, length(token & MORE) + MIN_MATCH, at + next);
  }
}

/** Bytes that grow as they are unpacked. */
class Output {
  length = 0;
  #room = new Uint8Array(2 ** 12);
  readonly #max: number;
  readonly #refuse: RefuseFile;

  constructor(max: number, refuse: RefuseFile) {
    this.#max = max;
    this.#refuse = refuse;
  }

  append(bytes: Uint8Array, at: number): void {
    this.#grow(bytes.length, at);
    this.#room.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Copies bytes from `distance` back, which may overlap those that are written. */
  repeat(distance: number, count: number, at: number): void {
    if (distance === 0 || distance > this.length) {
      this.#refuse(at, `a match lies ${distance} bytes back`, `1 to ${this.length}`);
    }
    this.#grow(count, at);
    for (let i = 0; i < count; i++, this.length++) {
      this.#room[this.length] = this.#room[this.length - distance] ?? 0;
    }
  }

  bytes(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }

  #grow(count: number, at: number): void {
    const needed = this.length + count;
    if (needed > this.#max) {
      this.#refuse(at, `it unpacks to ${needed} bytes or more`, `at most ${this.#max}`);
    }
    if (needed <= this.#room.length) return;
    const room = new Uint8Array(Math.min(this.#max, Math.max(needed, 2 * this.#room.length)));
    room.set(this.bytes());
    this.#room = room;
  }
}
