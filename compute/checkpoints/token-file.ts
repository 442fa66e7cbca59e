import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenStore } from '../../engine/index.ts';

/**
 * A store of tokens in a file of a folder. The file has no name from the start, so that its room is free
 * again however the process ends.
 */
export async function openTokenFile(folder: string): Promise<TokenStore> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `.tokens-${randomUUID()}`);
  const file = await open(path, 'wx+');
  await rm(path);
  return {
    append: (bytes) => file.appendFile(bytes),
    async read(start, end) {
      const bytes = new Uint8Array(end - start);
      let filled = 0;
      while (filled < bytes.length) {
        const left = bytes.length - filled;
        const { bytesRead } = await file.read(bytes, filled, left, start + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.slice(0, filled);
    },
    close: () => file.close(),
  };
}
