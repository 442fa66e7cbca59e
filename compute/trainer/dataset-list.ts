import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isInside } from './rooted-path.ts';

/** As many as an announcement may carry. */
const MAX_FILES = 1000;
const MAX_PATH = 512;
const DEEPEST = 8;

/** The files below a root as `dataset_path` may name them, in order. What is hidden stays so. */
export async function listDatasets(root: string): Promise<string[]> {
  const real = await realpath(root);
  const found: string[] = [];
  const look = async (folder: string, depth: number): Promise<void> => {
    for (const entry of (await readdir(folder)).toSorted()) {
      if (found.length === MAX_FILES) return;
      const place = join(folder, entry);
      const path = relative(real, place).split(sep).join('/');
      if (entry.startsWith('.') || path.length > MAX_PATH) continue;
      const kind = await kindOf(real, place);
      if (kind === 'file') found.push(path);
      if (kind === 'folder' && depth < DEEPEST) await look(place, depth + 1);
    }
  };
  await look(real, 1);
  return found;
}

/** Entries below a place, links followed; none where it is outside the root or has gone meanwhile. */
async function kindOf(root: string, place: string): Promise<'file' | 'folder' | undefined> {
  try {
    if (!isInside(root, await realpath(place))) return undefined;
    const stats = await stat(place);
    if (stats.isFile()) return 'file';
    return stats.isDirectory() ? 'folder' : undefined;
  } catch {
    return undefined;
  }
}
