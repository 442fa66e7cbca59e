import {
  blobSource,
  type DataFiles,
  EngineError,
  isZipName,
  singleFile,
  zipFiles,
} from '../../../engine/index.ts';
import { nameOfFiles, type PlacedFile } from '../../ui/dropped-files.ts';

/**
 * Dropped files as a data set: one file, what is in one zip file, or all of a folder. Files are read in
 * slices, so that they may be larger than the memory; an archive is unpacked into it.
 */
export async function openDropped(dropped: readonly PlacedFile[]): Promise<DataFiles> {
  const [first] = dropped;
  if (!first) throw new EngineError('dataset-invalid', 'no file was chosen: expected data');
  if (dropped.length > 1) return folderOf(dropped);
  const source = blobSource(first.file, first.file.name);
  return isZipName(first.path) ? zipFiles(source) : singleFile(source);
}

function folderOf(dropped: readonly PlacedFile[]): DataFiles {
  const files = dropped.map(({ path, file }) => ({
    path,
    size: file.size,
    open: () => Promise.resolve(blobSource(file, path)),
  }));
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { name: nameOfFiles(dropped), files: sorted, close: () => Promise.resolve() };
}
