import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { build, type Plugin, stop } from 'esbuild';

/** The Worker as it is handed to the runtime. */
export interface WorkerBundle {
  /** One ES module with everything the Worker imports. */
  readonly script: string;
  /** WASM that it imports by these names: compiled beforehand, as none may be at run time. */
  readonly wasm: ReadonlyMap<string, Uint8Array>;
}

let underWay = 0;

/** Bundles the Worker as `wrangler deploy` would. Without its source map it is a quarter as large. */
export async function bundleWorker(
  entry: string,
  sourcemap: 'inline' | false = 'inline',
): Promise<WorkerBundle> {
  underWay += 1;
  const files = new Map<string, string>();
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2024',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser', 'import'],
    external: ['cloudflare:*', 'node:*'],
    plugins: [keepWasm(files)],
    sourcemap,
    write: false,
    logLevel: 'silent',
  }).finally(() => {
    underWay -= 1;
    // esbuild's process would keep ours; ended too early, it would leave another build without an answer.
    return underWay === 0 ? stop() : undefined;
  });
  const [bundle] = outputFiles;
  if (!bundle) throw new Error(`esbuild made nothing of ${entry}`);
  const read = Array.from(files, async ([name, path]) => [name, await readFile(path)] as const);
  return { script: bundle.text, wasm: new Map(await Promise.all(read)) };
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
