import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { EngineError } from '../../errors.ts';
import type { ByteSource } from '../files/byte-source.ts';
import type { DataFile } from '../files/data-files.ts';
import { parseJson } from '../files/json.ts';

/** The files of a data set, each read as a whole. */
export interface CaptionReader {
  /** The one file whose path fits; undefined where there is none. */
  find(path: RegExp): DataFile | undefined;
  /** The file with the path that a line gives, or the only one whose path ends in it. */
  named(path: string, line: number): DataFile;
  /** The bytes of a file, in memory. */
  read(file: DataFile): Promise<ByteSource>;
  /** SHA-256 in hexadecimal of all that was read, in this order. */
  digest(): string;
}

/** Bytes of the largest file that is read. */
const MAX_FILE_BYTES = 2 ** 28;

export function createCaptionReader(
  files: readonly DataFile[],
  {
    onProgress,
    signal,
  }: {
    readonly onProgress?: (read: number, total: number) => void;
    readonly signal?: AbortSignal;
  },
): CaptionReader {
  const hash = sha256.create();
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let readBytes = 0;
  return {
    find(path) {
      const found = files.filter((file) => path.test(file.path));
      if (found.length > 1) {
        refuse(`${found.length} files fit ${path.source}, such as ${found[1]?.path}: expected one`);
      }
      return found[0];
    },
    named(path, line) {
      const wanted = path.replaceAll('\\', '/').replace(/^\.\//, '');
      const found = files.filter(
        (file) => file.path === wanted || file.path.endsWith(`/${wanted}`),
      );
      const [file] = found;
      if (file && found.length === 1) return file;
      return refuse(
        `line ${line} names ${path}: ${found.length} files have that path, expected one`,
      );
    },
    async read({ path, size, open }) {
      signal?.throwIfAborted();
      if (size > MAX_FILE_BYTES) {
        refuse(`${path} has ${size} bytes, expected at most ${MAX_FILE_BYTES}`);
      }
      const bytes = await (await open()).read(0, size);
      hash.update(bytes);
      readBytes += size;
      onProgress?.(readBytes, total);
      return {
        name: path,
        size,
        read: (start, end) => Promise.resolve(bytes.subarray(start, end)),
      };
    },
    digest: () => bytesToHex(hash.clone().digest()),
  };
}

/** One line of the file, as far as it is read. */
export interface CaptionLine {
  /** In the file, counted from 1. */
  readonly number: number;
  readonly caption: string;
  readonly image?: string;
  readonly audio?: string;
  readonly split?: string;
  /** Category, such as `animals`. */
  readonly group?: string;
}

/** Reads the lines of a JSONL file, the caption of each under `key`. Throws EngineError `captions-invalid`. */
export function parseLines(name: string, text: string, key: string): CaptionLine[] {
  const lines = text
    .split('\n')
    .map((line, i) => ({ number: i + 1, line: line.trim() }))
    .filter(({ line }) => line !== '')
    .map(({ number, line }) => parseLine(`${name}, line ${number}`, number, { line, key }));
  if (lines.length === 0) refuse(`${name} has no lines: expected one for each caption`);
  return lines;
}

function parseLine(
  where: string,
  number: number,
  { line, key }: { readonly line: string; readonly key: string },
): CaptionLine {
  const fields = parseObject(where, line);
  const textOf = (name: string) => {
    const value = fields[name];
    if (value === undefined || typeof value === 'string') return value;
    return refuse(`${where}: ${name} is ${JSON.stringify(value)}: expected a text`);
  };
  // Line breaks delimit captions.
  const caption = textOf(key)?.replace(/\s+/g, ' ').trim();
  if (!caption) {
    const texts = Object.keys(fields).filter((field) => typeof fields[field] === 'string');
    return refuse(`${where}: there is no text under ${key}; it has [${texts.join(', ')}]`);
  }
  const [image, audio, split] = [textOf('image'), textOf('audio'), textOf('split')];
  const { group } = fields;
  return {
    number,
    caption,
    ...(image !== undefined && { image }),
    ...(audio !== undefined && { audio }),
    ...(split !== undefined && { split }),
    ...(typeof group === 'string' && { group }),
  };
}

function parseObject(where: string, line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parseJson(line);
    // An object whose values are looked at one by one.
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  return refuse(`${where} is no JSON object: ${JSON.stringify(line.slice(0, 60))}`);
}

export function refuse(message: string): never {
  throw new EngineError('captions-invalid', `the captions are invalid: ${message}`);
}
