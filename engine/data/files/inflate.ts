import { Inflate, Unzlib } from 'fflate';

/** Deflate makes at most 258 bytes of two bits. */
const MAX_RATIO = 1032;
/** Packed bytes of a step, after which is looked whether there is still room. */
const STEP_BYTES = 1 << 12;
/** Steps that may unpack to nothing: what follows the end of a stream does, and blocks without content. */
const EMPTY_STEPS = 64;

/** Bytes that any archive may unpack to: it is held in memory. */
const MAX_BYTES = 2 ** 31 - 1;
/** What a small one may unpack to, and how many times its size a larger one. Texts take a fifth, pictures more. */
const FREE_BYTES = 2 ** 26;
const MAX_EXPANSION = 100;

/** What an archive of so many bytes may unpack to. */
export function maxUnpackedBytes(packedBytes: number): number {
  return Math.min(FREE_BYTES + MAX_EXPANSION * packedBytes, MAX_BYTES);
}

/** Whether so few bytes can unpack to so many at all, which is asked before room is made for them. */
export function canInflateTo(packedBytes: number, bytes: number): boolean {
  return bytes <= MAX_RATIO * packedBytes;
}

/**
 * Unpacks a stream into `out` and stops where that is full, however much more the stream holds. Returns the
 * bytes that were there, one more than fit where there are more. Throws what fflate throws for damage.
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
  // Only the end of the stream is left to be seen where nothing came any more.
  stream.push(packed.subarray(packed.length - 4), true);
  return found();
}

/** Remainders of the bytes by the polynomial of ISO 3309, which PNG, zip and gzip share. */
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
