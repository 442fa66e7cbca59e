import { build, stop } from 'esbuild';

/** One ES module with everything the Worker imports, as `wrangler deploy` would make it. */
export async function bundleWorker(entry: string): Promise<string> {
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
  }).finally(stop);
  const [bundle] = outputFiles;
  if (!bundle) throw new Error(`esbuild made nothing of ${entry}`);
  return bundle.text;
}
