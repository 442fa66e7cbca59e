import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ByteSource } from '../../engine/index.ts';
import { type FileSource, openFileSource } from '../checkpoints/file-source.ts';

/** Files that are closed together. */
export interface DataSources {
  readonly files: readonly ByteSource[];
  close(): Promise<void>;
}

/** One file, or all of a folder and the folders in it by their paths, in the order of their names. */
export async function openDataSources(path: string): Promise<DataSources> {
  if (!(await stat(path)).isDirectory()) {
    const file = await openFileSource(path);
    return { files: [file], close: () => file.close() };
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const files = paths.toSorted().map((file) => closedBetween(file, relative(path, file)));
  return { files: await Promise.all(files), close: async () => {} };
}

/** A file that is open only while it is read: of a folder there may be more than a process may open. */
async function closedBetween(path: string, name: string): Promise<ByteSource> {
  const { size } = await stat(path);
  return {
    name: name.split(sep).join('/'),
    size,
    async read(start, end) {
      const file: FileSource = await openFileSource(path);
      try {
        return await file.read(start, end);
      } finally {
        await file.close();
      }
    },
  };
}
