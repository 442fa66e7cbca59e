import type { BoundedReader } from '../files/bounded-reader.ts';
import { MAX_SIDE, type SensorSize } from './event-list.ts';

/** Text lines before the events of a file. */
export interface TextHeader {
  /** Without their mark and the ends of lines. */
  readonly lines: readonly string[];
  /** Offset of the first byte behind it. */
  readonly end: number;
}

const [LINE_FEED, MAX_LINE, MAX_LINES] = [0x0a, 2 ** 16, 2 ** 14];

/** Reads lines that begin with `mark`, up to one that `isLast` or to a byte that begins none. */
export function readTextHeader(
  { bytes, refuse }: BoundedReader,
  mark: '#' | '%',
  isLast: (line: string) => boolean,
): TextHeader {
  const lines: string[] = [];
  let at = 0;
  while (bytes[at] === mark.charCodeAt(0)) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0 || end - at > MAX_LINE) {
      refuse(at, 'a line of the header does not end', `a line feed within ${MAX_LINE} bytes`);
    }
    if (lines.length === MAX_LINES) refuse(at, 'the header goes on', `at most ${MAX_LINES} lines`);
    const line = latin1(bytes.subarray(at + 1, end)).trim();
    lines.push(line);
    at = end + 1;
    if (isLast(line)) break;
  }
  return { lines, end: at };
}

export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** The value of a line "keyword value", whatever the case of the keyword. */
export function headerValue({ lines }: TextHeader, keyword: string): string | undefined {
  const start = `${keyword.toLowerCase()} `;
  return lines
    .find((line) => line.toLowerCase().startsWith(start))
    ?.slice(start.length)
    .trim();
}

/** The sensor that a header of Prophesee names: by width and height, a geometry or a format with both. */
export function headerSensor(header: TextHeader): SensorSize | undefined {
  const format = headerValue(header, 'format') ?? '';
  const field = (name: string) =>
    headerValue(header, name) ?? new RegExp(`;${name}=(\\d{1,5})\\b`).exec(format)?.[1];
  const geometry = /^(\d{1,5})x(\d{1,5})$/.exec(headerValue(header, 'geometry') ?? '');
  const [width, height] = [field('width') ?? geometry?.[1], field('height') ?? geometry?.[2]];
  const size = { width: Number(width), height: Number(height) };
  return isSide(size.width) && isSide(size.height) ? size : undefined;
}

const isSide = (side: number) => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE;
