import { build, stop } from 'esbuild';

let underWay = 0;

/** One ES module with everything the Worker imports, as `wrangler deploy` would make it. */
export async function bundleWorker(entry: string): Promise<string> {
  underWay += 1;
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2024',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser', 'import'],
    external: ['cloudflare:*', 'node:*'],
    sourcemap: 'inline',
    write: false,
    logLevel: 'silent',
  }).finally(() => {
    underWay -= 1;
    // esbuild's process would keep ours; ended too early, it would leave another build without an answer.
    return underWay === 0 ? stop() : undefined;
  });
  const [bundle] = outputFiles;
  if (!bundle) throw new Error(`esbuild made nothing of ${entry}`);
  return bundle.text;
}
