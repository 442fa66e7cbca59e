import { Inflate, Unzlib } from 'fflate';

/** Deflate expands two bits to at most 258 bytes. */
const MAX_RATIO = 1032;
/** Packed bytes per step, after each of which the room left is checked. */
const STEP_BYTES = 1 << 12;
/** Consecutive steps that may unpack to nothing, such as those after the end of a stream. */
const EMPTY_STEPS = 64;

/** Bytes that any archive may unpack to: it is held in memory. */
const MAX_BYTES = 2 ** 31 - 1;
/**
 * Bytes that a small archive may unpack to, and the expansion allowed to a larger one. Texts compress to a
 * fifth, images to less.
 */
const FREE_BYTES = 2 ** 26;
const MAX_EXPANSION = 100;

/** Upper bound of the unpacked bytes of an archive. */
export function maxUnpackedBytes(packedBytes: number): number {
  return Math.min(FREE_BYTES + MAX_EXPANSION * packedBytes, MAX_BYTES);
}

/** Whether so few bytes can unpack to so many, checked before memory is allocated. */
export function canInflateTo(packedBytes: number, bytes: number): boolean {
  return bytes <= MAX_RATIO * packedBytes;
}

/**
 * Unpacks a stream into `out` and stops when that is full. Returns the number of bytes unpacked, one more
 * than fit if the stream holds more. Throws fflate's error for a damaged stream.
 */
export function inflateInto(kind: 'deflate' | 'zlib', packed: Uint8Array, out: Uint8Array): number {
  const seen = { bytes: 0, emptySteps: 0 };
  const take = (piece: Uint8Array) => {
    const room = out.length - Math.min(seen.bytes, out.length);
    out.set(piece.subarray(0, room), out.length - room);
    seen.bytes += piece.length;
    seen.emptySteps = piece.length === 0 ? seen.emptySteps + 1 : 0;
  };
  const stream = kind === 'zlib' ? new Unzlib(take) : new Inflate(take);
  const found = () => Math.min(seen.bytes, out.length + 1);
  for (let at = 0; ; at += STEP_BYTES) {
    const end = Math.min(at + STEP_BYTES, packed.length);
    stream.push(packed.subarray(at, end), end === packed.length);
    if (end === packed.length || seen.bytes > out.length) return found();
    if (seen.emptySteps === EMPTY_STEPS) break;
  }
  // Only the end of the stream can remain when nothing more was unpacked.
  stream.push(packed.subarray(packed.length - 4), true);
  return found();
}

/** Table of CRC-32 (ISO 3309), which PNG, zip and gzip share. */
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
  }
  return remainder;
});

/** The CRC-32 of PNG's chunks and of the files of a zip archive. */
export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (remainders[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return ~sum >>> 0;
}
