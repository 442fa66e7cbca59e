import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import {
  type ByteSource,
  type DataFile,
  type DataFiles,
  EngineError,
  isZipName,
  singleFile,
  zipFiles,
} from '../../engine/index.ts';
import { openFileSource } from '../checkpoints/file-source.ts';

/** Files of a data set that is a folder; a folder with more, such as a home folder, was not meant. */
const MAX_FILES = 1_000_000;

/**
 * Opens a data set of this machine: one file, a zip archive, or a folder with all below it. Throws what
 * `fs` throws, such as ENOENT, and EngineError `dataset-invalid`.
 */
export async function openData(path: string): Promise<DataFiles> {
  const stats = await stat(path);
  if (stats.isDirectory()) return openFolder(path);
  const source = await openFileSource(path);
  if (!isZipName(path)) return { ...singleFile(source), close: () => source.close() };
  try {
    return await zipFiles(source);
  } finally {
    await source.close();
  }
}

async function openFolder(root: string): Promise<DataFiles> {
  const files: DataFile[] = [];
  for (const place of await placesBelow(root)) {
    const { size } = await stat(place);
    const path = relative(root, place).split(sep).join('/');
    files.push({ path, size, open: () => Promise.resolve(briefly({ place, path, size })) });
  }
  return { name: basename(resolve(root)), files, close: () => Promise.resolve() };
}

interface PlacedFile {
  readonly place: string;
  readonly path: string;
  readonly size: number;
}

/** A file that is open only while it is read: a folder may have more than a process may open at once. */
function briefly({ place, path, size }: PlacedFile): ByteSource {
  return {
    name: path,
    size,
    async read(start, end) {
      const source = await openFileSource(place);
      try {
        return await source.read(start, end);
      } finally {
        await source.close();
      }
    },
  };
}

/** All files below a folder in the order of their paths; what is hidden is left out. */
async function placesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const isHidden = (place: string) =>
    relative(root, place)
      .split(sep)
      .some((part) => part.startsWith('.'));
  const places = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((place) => !isHidden(place));
  if (places.length <= MAX_FILES) return places.toSorted();
  throw new EngineError(
    'dataset-invalid',
    `${root} has ${places.length} files: expected at most ${MAX_FILES}`,
  );
}
