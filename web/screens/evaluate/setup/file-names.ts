import type { PlacedFile } from '../../../ui/dropped-files.ts';

/** What dropped files are called: the file, or the folder they lie in. */
export function nameOfFiles(files: readonly PlacedFile[]): string {
  const [first] = files;
  if (!first) return '';
  const [folder = ''] = first.path.split('/');
  return files.length === 1 ? first.file.name : folder;
}

export function sizeOfFiles(files: readonly PlacedFile[]): number {
  return files.reduce((sum, { file }) => sum + file.size, 0);
}
