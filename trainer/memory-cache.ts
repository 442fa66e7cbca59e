import { blobSource } from '../engine/index.ts';
import type { DatasetCache } from './environment.ts';

/** Keeps datasets as blobs for as long as the page or process lives: the cache of a tab. */
export function createMemoryCache(): DatasetCache {
  const kept = new Map<string, Blob>();
  return {
    async open(digest, name) {
      const blob = kept.get(digest);
      return blob && { ...blobSource(blob, name), close: async () => {} };
    },
    async create(digest) {
      let pieces: Blob[] = [];
      return {
        // A blob of its own each: a browser moves large ones out of memory.
        append: async (bytes) => void pieces.push(new Blob([bytes])),
        keep: async () => void kept.set(digest, new Blob(pieces)),
        discard: async () => {
          pieces = [];
        },
      };
    },
  };
}
