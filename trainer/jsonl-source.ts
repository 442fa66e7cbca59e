import type { ByteSource } from '../engine/index.ts';
import { JobFailure } from './job-failure.ts';

const CHUNK_BYTES = 1 << 20;
/** Bytes of text between two marks of the index that leads from the text to its lines. */
const MARK_BYTES = 1 << 18;
/** A line that is longer is taken for no line at all. */
const MAX_LINE_BYTES = 1 << 24;
const NEWLINE = 10;

/** The texts of some lines lie from here on: in the file, and in the text they make up. */
interface Mark {
  readonly line: number;
  readonly fileByte: number;
  readonly textByte: number;
}

interface TextLine extends Mark {
  /** With the newline that joins it to the one before. */
  readonly text: Uint8Array;
}

/**
 * The `text` fields of a JSONL file, a newline between each, as one text that can be read in
 * pieces. Nothing of it is kept but an index: memory does not grow with the file.
 *
 * @throws JobFailure `dataset_invalid` that names the line which is malformed
 */
export async function openJsonl(source: ByteSource): Promise<ByteSource> {
  const start: Mark = { line: 1, fileByte: 0, textByte: 0 };
  const marks = [start];
  let size = 0;
  for await (const { text, ...mark } of textLines(source, start)) {
    if (mark.textByte - (marks.at(-1)?.textByte ?? 0) >= MARK_BYTES) marks.push(mark);
    size = mark.textByte + text.length;
  }
  return {
    name: source.name,
    size,
    async read(from, to) {
      const end = Math.min(to, size);
      const bytes = new Uint8Array(Math.max(0, end - from));
      const mark = marks.findLast(({ textByte }) => textByte <= from) ?? start;
      for await (const { text, textByte } of textLines(source, mark)) {
        if (textByte >= end) break;
        const first = Math.max(0, from - textByte);
        const piece = text.subarray(first, Math.max(first, end - textByte));
        bytes.set(piece, Math.max(0, textByte - from));
      }
      return bytes;
    },
  };
}

/** The texts of a file's lines from a mark on; empty lines are passed over. */
async function* textLines(source: ByteSource, from: Mark): AsyncGenerator<TextLine> {
  const encoder = new TextEncoder();
  let { textByte } = from;
  for await (const { line, fileByte, bytes } of linesOf(source, from)) {
    const value = parseLine(source.name, line, bytes);
    if (value === undefined) continue;
    const text = encoder.encode(textByte === 0 ? value : `\n${value}`);
    yield { line, fileByte, textByte, text };
    textByte += text.length;
  }
}

async function* linesOf(source: ByteSource, from: Mark) {
  let { line, fileByte } = from;
  let rest = new Uint8Array(0);
  for (let start = fileByte; start < source.size; start += CHUNK_BYTES) {
    const chunk = await source.read(start, Math.min(start + CHUNK_BYTES, source.size));
    let bytes = join(rest, chunk);
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE)) {
      yield { line, fileByte, bytes: bytes.subarray(0, end) };
      bytes = bytes.subarray(end + 1);
      fileByte += end + 1;
      line++;
    }
    if (bytes.length > MAX_LINE_BYTES) {
      throw malformed(source.name, line, `it is longer than ${MAX_LINE_BYTES} bytes`);
    }
    rest = bytes;
  }
  if (rest.length > 0) yield { line, fileByte, bytes: rest };
}

function join(a: Uint8Array<ArrayBuffer>, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

function parseLine(name: string, line: number, bytes: Uint8Array): string | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    throw malformed(name, line, 'it is not UTF-8');
  }
  if (text === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(name, line, `it is not JSON (${error instanceof Error ? error.message : ''})`);
  }
  if (typeof value !== 'object' || value === null || !('text' in value)) {
    throw malformed(name, line, 'it has no "text": expected an object such as {"text": "…"}');
  }
  if (typeof value.text === 'string') return value.text;
  throw malformed(name, line, `its "text" is ${JSON.stringify(value.text)}: expected a string`);
}

function malformed(name: string, line: number, what: string): JobFailure {
  return new JobFailure('dataset_invalid', `${name}, line ${line}: ${what}`);
}
