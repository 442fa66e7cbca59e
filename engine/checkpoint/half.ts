/**
 * Half precision (IEEE 754 binary16) for files. Float16Array would do the same, but not every browser that
 * the lab runs in has it.
 */

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** 2^-24, the smallest half above 0. */
const SMALLEST = 2 ** -24;
/** From here on a half has all its digits. */
const SMALLEST_NORMAL = 2 ** -14;
const INFINITE = 0x7c00;
const QUIET = 0x7e00;

/** The bits of the half that is nearest to a number, ties to even; infinite from 65520 on. */
export function halfBits(value: number): number {
  single[0] = value;
  const word = bits[0] ?? 0;
  const sign = (word >>> 16) & 0x8000;
  const magnitude = Math.abs(single[0]);
  if (Number.isNaN(magnitude)) return sign | QUIET;
  if (magnitude < SMALLEST_NORMAL) return sign | roundToEven(magnitude / SMALLEST);
  // Exponent and upper digits side by side: a digit that is carried raises the exponent.
  const rebased = (word & 0x7fffffff) - ((127 - 15) << 23);
  return sign | Math.min(INFINITE, roundToEven(rebased / 2 ** 13));
}

/** The number that the bits of a half stand for. */
export function halfValue(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 0x1f;
  const digits = half & 0x3ff;
  if (exponent === 0x1f) return digits === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * digits * SMALLEST;
  return sign * (1 + digits / 1024) * 2 ** (exponent - 15);
}

function roundToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest === 0.5) return below + (below % 2);
  return rest < 0.5 ? below : below + 1;
}
