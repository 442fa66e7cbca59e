import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { cachedBuild, type Made } from './cached-build.ts';

/** The Worker as it is handed to the runtime. */
export interface WorkerBundle {
  /** One ES module with everything the Worker imports. */
  readonly script: string;
  /** WASM that it imports by these names: compiled beforehand, as none may be at run time. */
  readonly wasm: ReadonlyMap<string, Uint8Array>;
}

interface Bundled {
  readonly script: string;
  /** Where the WASM of a name lies. */
  readonly wasm: readonly (readonly [name: string, path: string])[];
}

/** Inputs of a bundle besides its modules: versions, and how TypeScript is read. */
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.base.json', 'edge/tsconfig.json'];

/**
 * Bundles the Worker as `wrangler deploy` would, unless the bundle in dist/ is still up to date.
 * Without a source map, which would be three times as large as the script: Miniflare copies all of it
 * for every few KiB of its configuration, 0.4 s in each start.
 *
 * @param root the checkout
 */
export async function bundleWorker(root: string, entry: string): Promise<WorkerBundle> {
  const { script, wasm } = await cachedBuild({
    path: join(root, 'dist/worker/bundle.json'),
    key: entry,
    make: () => bundle(root, entry),
  });
  const read = wasm.map(async ([name, path]) => [name, await readFile(path)] as const);
  return { script, wasm: new Map(await Promise.all(read)) };
}

let underWay = 0;

async function bundle(root: string, entry: string): Promise<Made<Bundled>> {
  // Only now, as most starts need no bundle.
  const { build, stop } = await import('esbuild');
  underWay += 1;
  const wasm = new Map<string, string>();
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2024',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser', 'import'],
    external: ['cloudflare:*', 'node:*'],
    plugins: [keepWasm(wasm)],
    metafile: true,
    write: false,
    logLevel: 'silent',
  }).finally(() => {
    underWay -= 1;
    // esbuild's process would keep ours; ended too early, it would leave another build without an answer.
    return underWay === 0 ? stop() : undefined;
  });
  const [made] = outputFiles;
  if (!made) throw new Error(`esbuild made nothing of ${entry}`);
  return {
    value: { script: made.text, wasm: [...wasm] },
    inputs: [...SETTINGS, ...Object.keys(metafile.inputs)].map((path) => resolve(root, path)),
  };
}

/** Leaves WASM modules as imports of their names, and notes where they lie. */
const keepWasm = (files: Map<string, string>): Plugin => ({
  name: 'keep-wasm',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
      const name = basename(path);
      files.set(name, resolve(resolveDir, path));
      return { path: `./${name}`, external: true };
    }),
});
