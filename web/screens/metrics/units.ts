import type { Format } from '../../i18n/format.ts';

/** Seconds as people read them: 3.2 ms, 1.4 s. */
export function writeSeconds({ number }: Format, seconds: number): string {
  if (seconds === 0) return '0 s';
  if (Math.abs(seconds) < 0.001) return `${number(seconds * 1e6)} µs`;
  return Math.abs(seconds) < 1 ? `${number(seconds * 1000)} ms` : `${number(seconds)} s`;
}

/** A value with the unit its metric names. */
export function writeUnit(format: Format, unit: string | null, value: number): string {
  if (unit === 'seconds') return writeSeconds(format, value);
  if (unit === 'bytes') return format.bytes(value);
  return unit === null || unit === '' ? format.number(value) : `${format.number(value)} ${unit}`;
}
