import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DatasetCache } from '../../trainer/index.ts';
import { openFileSource } from '../checkpoints/file-source.ts';

/** Copies kept; those that were not used for longest go first. */
const MAX_KEPT = 16;
const PARTIAL = '.partial-';

/** Copies of platform datasets in a folder, each named by its digest; several processes may share it. */
export function createDatasetCache(folder: string): DatasetCache {
  const placeOf = (digest: string) => join(folder, digest.replace('sha256:', ''));
  return {
    async open(digest, name) {
      const place = placeOf(digest);
      const now = new Date();
      try {
        await utimes(place, now, now);
        return { ...(await openFileSource(place)), name };
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async create(digest) {
      await mkdir(folder, { recursive: true });
      const partial = join(folder, `${PARTIAL}${randomUUID()}`);
      const file = await open(partial, 'wx');
      return {
        append: (bytes) => file.writeFile(bytes),
        async keep() {
          await file.sync();
          await file.close();
          await rename(partial, placeOf(digest));
          await removeOldest(folder);
        },
        async discard() {
          await file.close();
          await rm(partial, { force: true });
        },
      };
    },
  };
}

async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(PARTIAL));
  const dated = names.map(async (name) => {
    const stats = await stat(join(folder, name)).catch(() => undefined);
    return { name, usedAt: stats?.mtimeMs ?? 0 };
  });
  const oldest = (await Promise.all(dated)).toSorted((a, b) => b.usedAt - a.usedAt);
  for (const { name } of oldest.slice(MAX_KEPT)) await rm(join(folder, name), { force: true });
}
