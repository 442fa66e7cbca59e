import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ByteSource, EngineError } from '../../engine/index.ts';

/** A file read in pieces. The caller closes it. */
interface FileSource extends ByteSource {
  close(): Promise<void>;
}

/**
 * Opens a file for reading. Throws what `fs` throws, such as ENOENT, and EngineError `text-invalid`
 * for what is no file.
 */
export async function openFileSource(path: string): Promise<FileSource> {
  const file = await open(path, 'r');
  const stats = await file.stat();
  if (!stats.isFile()) {
    await file.close();
    throw new EngineError('text-invalid', `${path} is no file: expected a text file`);
  }
  const { size } = stats;
  return {
    name: basename(path),
    size,
    async read(start, end, into) {
      const buffer = into?.subarray(0, end - start) ?? new Uint8Array(end - start);
      let filled = 0;
      while (filled < buffer.length) {
        const { bytesRead } = await file.read(
          buffer,
          filled,
          buffer.length - filled,
          start + filled,
        );
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
    close: () => file.close(),
  };
}
