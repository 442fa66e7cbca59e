import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/* Where the package is made from, and where it is put together. */

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const library = join(root, 'library');

/** The folder that npm packs. */
export const packed = join(root, 'dist/package');

/** Beside the scripts: kernels, shaders, and the scripts of threads. Whoever bundles copies it beside the bundle. */
export const ASSETS = 'assets';

/** The script of `npx spikegrid` under dist/. */
export const COMMAND = 'command';

/** Entries that only Node has. */
const NODE_ONLY: ReadonlySet<string> = new Set(['node']);

/** The public entries: a file of library/ each, `index` being the package itself. */
export const entries: readonly string[] = readdirSync(library)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .toSorted();

export type Environment = 'web' | 'node';

export function entriesOf(environment: Environment): readonly string[] {
  return environment === 'node' ? entries : entries.filter((name) => !NODE_ONLY.has(name));
}

/** The file of an entry under dist/: one script for browsers, another for Node. */
export function scriptOf(entry: string, environment: Environment): string {
  return environment === 'node' ? `${entry}.node.js` : `${entry}.js`;
}

/** Found where they are installed: the package works without each of them. */
export const PEERS: Readonly<Record<string, string>> = {
  '@napi-rs/canvas': '>=1.0',
  h5wasm: '>=0.8',
  'jpeg-js': '>=0.4',
  webgpu: '>=0.3',
};
