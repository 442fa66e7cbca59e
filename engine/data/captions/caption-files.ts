import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { ByteSource } from '../files/byte-source.ts';
import type { DataFile } from '../files/data-files.ts';
import { refuse } from './refuse.ts';

/** The files of a data set, read whole, one after another. */
export interface CaptionReader {
  /** The one file whose path fits; undefined where there is none. */
  find(path: RegExp): DataFile | undefined;
  /** The file that a line names: the one whose path that is, or ends in it. */
  named(path: string, line: number): DataFile;
  /** The bytes of a file, in memory. */
  read(file: DataFile): Promise<ByteSource>;
  /** SHA-256 in hexadecimal of all that was read, in this order. */
  digest(): string;
}

/** Bytes of the largest file that is read. */
const MOST_FILE_BYTES = 2 ** 28;

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
      if (size > MOST_FILE_BYTES) {
        refuse(`${path} has ${size} bytes, expected at most ${MOST_FILE_BYTES}`);
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
