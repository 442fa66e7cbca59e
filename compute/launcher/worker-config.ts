import { dirname, join } from 'node:path';
import type { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler';
import { cachedBuild } from './cached-build.ts';

type Read = ReturnType<typeof workerOptionsOf>;

/** The Worker's configuration in wrangler.toml, as Miniflare takes it. */
interface WorkerConfig {
  readonly name: string;
  /** The module it begins with. */
  readonly main: string;
  readonly options: Read['workerOptions'];
  readonly externalWorkers: Read['externalWorkers'];
}

/** Files that wrangler reads beside its own. */
const BESIDE = ['.dev.vars', '.env', '.env.local', 'package-lock.json'];
/** Variables that lead it to other values or other files. */
const STEERING = ['CLOUDFLARE_ENV', 'CLOUDFLARE_INCLUDE_PROCESS_ENV'];

/**
 * Has wrangler read its file, unless what it made of it before is still up to date: loading wrangler
 * takes longer than starting the Worker.
 */
export function readWorkerConfig(configPath: string): Promise<WorkerConfig> {
  const root = dirname(configPath);
  return cachedBuild({
    path: join(root, 'dist/worker/config.json'),
    key: JSON.stringify([configPath, STEERING.map((name) => process.env[name])]),
    make: async () => ({
      value: await askWrangler(configPath),
      inputs: [configPath, ...BESIDE.map((name) => join(root, name))],
    }),
  });
}

async function askWrangler(configPath: string): Promise<WorkerConfig> {
  const wrangler = await import('wrangler');
  const { name, main } = wrangler.unstable_readConfig({ config: configPath });
  if (!name || !main) throw new TypeError(`${configPath} must have a name and a main`);
  const { workerOptions, externalWorkers } =
    wrangler.unstable_getMiniflareWorkerOptions(configPath);
  return { name, main, options: workerOptions, externalWorkers };
}
