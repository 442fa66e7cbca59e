import { EngineError } from '../../errors.ts';

/**
 * Refuses a file: names it and its format, where, what was found there and what was expected.
 */
export type RefuseFile = (
  at: number | string,
  found: string,
  expected: string,
  cause?: unknown,
) => never;

/** Refusals of one file, as EngineError `dataset-invalid`. `at` is a byte offset or a place in words. */
export function refuseFile(name: string, format: string): RefuseFile {
  return (at, found, expected, cause) => {
    const place = typeof at === 'number' ? `byte ${at}` : at;
    throw new EngineError(
      'dataset-invalid',
      `${name} cannot be read as ${format}: at ${place} ${found}, expected ${expected}`,
      cause === undefined ? undefined : { cause },
    );
  };
}

/** Numbers at offsets of an untrusted file. An offset outside is refused, never read as 0. */
export class BoundedReader {
  readonly bytes: Uint8Array;
  readonly refuse: RefuseFile;
  readonly #view: DataView;
  readonly #isLittle: boolean;

  constructor(bytes: Uint8Array, refuse: RefuseFile, order: 'little' | 'big' = 'little') {
    this.bytes = bytes;
    this.refuse = refuse;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#isLittle = order === 'little';
  }

  get size(): number {
    return this.bytes.length;
  }

  /** Checks that `count` bytes lie at `at`. */
  need(at: number, count: number, what: string): void {
    if (at >= 0 && at + count <= this.size) return;
    this.refuse(at, `the file of ${this.size} bytes ends`, `${count} bytes of ${what}`);
  }

  u8(at: number): number {
    this.need(at, 1, 'a number');
    return this.#view.getUint8(at);
  }

  u16(at: number): number {
    this.need(at, 2, 'a number');
    return this.#view.getUint16(at, this.#isLittle);
  }

  u32(at: number): number {
    this.need(at, 4, 'a number');
    return this.#view.getUint32(at, this.#isLittle);
  }

  i32(at: number): number {
    return this.u32(at) | 0;
  }

  /** A signed number of 64 bits, which has to be one that JavaScript holds exactly. */
  i64(at: number): number {
    this.need(at, 8, 'a number');
    const value = Number(this.#view.getBigInt64(at, this.#isLittle));
    if (!Number.isSafeInteger(value)) this.refuse(at, `the number is ${value}`, 'at most 2^53 - 1');
    return value;
  }

  span(at: number, count: number, what: string): Uint8Array {
    this.need(at, count, what);
    return this.bytes.subarray(at, at + count);
  }
}
