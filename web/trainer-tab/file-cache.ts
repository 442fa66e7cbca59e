import { blobSource } from '../../engine/index.ts';
import { createMemoryCache, type DatasetCache } from '../../trainer/index.ts';

const FOLDER = 'datasets';
/** Maximum number of stored copies; the oldest are deleted first. */
const MAX_FILES = 8;

/**
 * Copies of datasets in the browser's private file system, so that each is fetched once by this
 * browser. On pages and in browsers without one, they are stored in memory as long as the job runs.
 */
export async function openDatasetCache(): Promise<DatasetCache> {
  try {
    const root = await navigator.storage.getDirectory();
    if (!('createWritable' in FileSystemFileHandle.prototype)) return createMemoryCache();
    return createFileCache(await root.getDirectoryHandle(FOLDER, { create: true }));
  } catch {
    // Insecure pages have no `storage`, and private windows may refuse it.
    return createMemoryCache();
  }
}

function createFileCache(folder: FileSystemDirectoryHandle): DatasetCache {
  return {
    async open(digest, name) {
      const file = await folder.getFileHandle(nameOf(digest)).then(
        (handle) => handle.getFile(),
        () => undefined,
      );
      // A file that is being written is there, but empty until it is closed.
      if (!file || file.size === 0) return undefined;
      return { ...blobSource(file, name), close: async () => {} };
    },
    async create(digest) {
      const handle = await folder.getFileHandle(nameOf(digest), { create: true });
      const writable = await handle.createWritable();
      return {
        append: (bytes) => writable.write(bytes),
        async keep() {
          await writable.close();
          await removeOldest(folder);
        },
        async discard() {
          await writable.abort();
          await folder.removeEntry(nameOf(digest)).catch(() => undefined);
        },
      };
    },
  };
}

const nameOf = (digest: string): string => digest.replace('sha256:', '');

async function removeOldest(folder: FileSystemDirectoryHandle): Promise<void> {
  const files: File[] = [];
  for await (const handle of folder.values()) {
    if (handle instanceof FileSystemFileHandle) files.push(await handle.getFile());
  }
  const oldest = files.toSorted((a, b) => b.lastModified - a.lastModified).slice(MAX_FILES);
  // Another tab may read it now, or have removed it.
  for (const { name } of oldest) await folder.removeEntry(name).catch(() => undefined);
}
