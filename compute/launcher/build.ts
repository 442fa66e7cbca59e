import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleApi } from '../plugins/plugin-bundle.ts';
import { buildDashboard } from './dashboard-build.ts';
import { bundleWorker } from './worker-bundle.ts';
import { readWorkerConfig } from './worker-config.ts';

/**
 * Builds what is made ahead of time: `run.mjs` has made the kernels, this makes `dist/web` and what plugins
 * import; with `--worker` also what `npm start` makes of the Worker, so that one on a read-only file
 * system writes nothing.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const outcome = await buildDashboard(root);
console.log(outcome === 'built' ? 'dist/web is built' : 'dist/web is up to date');
await bundleApi();
if (process.argv.includes('--worker')) {
  const { main } = await readWorkerConfig(join(root, 'wrangler.toml'));
  await bundleWorker(root, main);
  console.log('dist/worker is up to date');
}
