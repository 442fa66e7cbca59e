import type { RefuseFile } from '../files/bounded-reader.ts';

/** Numbers of 32 bits or fewer. */
export type NumericData =
  | Float32Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

/** An array of numbers with its axes, the last of which runs fastest. */
export interface NumericArray {
  /** Empty for a single number. */
  readonly shape: readonly number[];
  readonly data: NumericData;
}

/** Kinds of numbers in a file, as NumPy names them: signed, unsigned, floating-point; bytes of one. */
export type NumberKind = `f${2 | 4 | 8}` | `${'i' | 'u'}${1 | 2 | 4 | 8}`;

export function isNumberKind(kind: string): kind is NumberKind {
  return Object.hasOwn(readers, kind);
}

interface NumberFormat {
  readonly kind: NumberKind;
  readonly isLittle: boolean;
}

const makers: Readonly<Record<NumberKind, new (length: number) => NumericData>> = {
  f2: Float32Array,
  f4: Float32Array,
  f8: Float32Array,
  i1: Int8Array,
  i2: Int16Array,
  i4: Int32Array,
  i8: Int32Array,
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  u8: Uint32Array,
};

type Read = (view: DataView, at: number, isLittle: boolean) => number;

const readers: Readonly<Record<NumberKind, Read>> = {
  f2: (view, at, isLittle) => halfValue(view.getUint16(at, isLittle)),
  f4: (view, at, isLittle) => view.getFloat32(at, isLittle),
  f8: (view, at, isLittle) => view.getFloat64(at, isLittle),
  i1: (view, at) => view.getInt8(at),
  i2: (view, at, isLittle) => view.getInt16(at, isLittle),
  i4: (view, at, isLittle) => view.getInt32(at, isLittle),
  i8: (view, at, isLittle) => Number(view.getBigInt64(at, isLittle)),
  u1: (view, at) => view.getUint8(at),
  u2: (view, at, isLittle) => view.getUint16(at, isLittle),
  u4: (view, at, isLittle) => view.getUint32(at, isLittle),
  u8: (view, at, isLittle) => Number(view.getBigUint64(at, isLittle)),
};

/** Bytes of a number of this kind. */
export const bytesOfKind = (kind: NumberKind): number => Number(kind[1]);

/**
 * Numbers as typed arrays that the engine knows: floats of 16 and 64 bits become 32, whole numbers of 64 bits
 * 32. A number that 32 bits cannot hold is refused with its place; a float of 64 bits is rounded.
 */
export function decodeNumbers(
  bytes: Uint8Array,
  { kind, isLittle }: NumberFormat,
  refuse: RefuseFile,
): NumericData {
  const size = bytesOfKind(kind);
  const [view, read] = [
    new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    readers[kind],
  ];
  const data = new makers[kind](Math.floor(bytes.length / size));
  for (let i = 0; i < data.length; i++) {
    const value = read(view, i * size, isLittle);
    data[i] = value;
    if (size === 8 && !fits(value, data[i] as number, kind)) {
      refuse(`element ${i}`, `the value is ${value}`, 'a number that fits 32 bits');
    }
  }
  return data;
}

function fits(value: number, stored: number, kind: NumberKind): boolean {
  return kind === 'f8' ? Number.isFinite(stored) || !Number.isFinite(value) : stored === value;
}

/** A float of 16 bits (IEEE 754 binary16). */
export function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 0x1f, bits & 0x3ff];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
