import { type UnzipFileInfo, unzipSync } from 'fflate';
import { EngineError } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';
import type { DataFiles } from './data-files.ts';

/** Bytes that an archive may hold once it is unpacked: it is held in memory. */
const MOST_BYTES = 2 ** 31 - 1;

/** Whether a file is taken for an archive, by its name. */
export function isZipName(name: string): boolean {
  return name.toLowerCase().endsWith('.zip');
}

/**
 * The files of a zip archive, unpacked in memory. Throws EngineError `dataset-invalid` for one that is cut
 * off, damaged, or larger than it may be.
 */
export async function zipFiles(source: ByteSource): Promise<DataFiles> {
  const { name, size } = source;
  if (size > MOST_BYTES) throw tooLarge(name, size);
  const unpacked = unpack(name, await source.read(0, size));
  const files = Object.entries(unpacked)
    .filter(([path]) => !path.endsWith('/'))
    .map(([path, bytes]) => ({
      path,
      size: bytes.length,
      open: () => Promise.resolve(memorySource(path, bytes)),
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { name, files, close: () => Promise.resolve() };
}

function unpack(name: string, bytes: Uint8Array): Record<string, Uint8Array> {
  let total = 0;
  const filter = ({ originalSize }: UnzipFileInfo) => {
    total += originalSize;
    if (total > MOST_BYTES) throw tooLarge(name, total);
    return true;
  };
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError('dataset-invalid', `${name} is no zip file, or damaged: ${reason}`, {
      cause: error,
    });
  }
}

function tooLarge(name: string, bytes: number): EngineError {
  return new EngineError(
    'dataset-invalid',
    `${name} holds ${bytes} bytes: expected at most ${MOST_BYTES}`,
  );
}

/** Bytes in memory, read as a file. */
export function memorySource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    read: (start, end) => Promise.resolve(bytes.subarray(start, end)),
  };
}
