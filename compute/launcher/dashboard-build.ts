import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../process/operator-error.ts';

/** Everything the dashboard and the descriptions beside it are built from. */
const SOURCES = [
  '{web,engine,shaders,edge,trainer,brain}/**/*',
  'vite.config.ts',
  'tools/page-chunks.ts',
  'package.json',
  'package-lock.json',
];

type Build = 'built' | 'unchanged';

/**
 * Brings dist/web up to date with its sources. The guide becomes a folder of it where `npm run guide` has built one.
 *
 * @throws OperatorError where web/ is missing or does not build
 */
export async function buildDashboard(root: string): Promise<Build> {
  const stamp = join(root, 'dist/web.stamp');
  const wanted = fingerprint(root);
  const isBuilt = existsSync(join(root, 'dist/web/index.html')) && existsSync(stamp);
  if (isBuilt && readFileSync(stamp, 'utf8') === wanted) return 'unchanged';
  if (!existsSync(join(root, 'web/index.html'))) {
    throw new OperatorError('web/index.html is missing: there is no dashboard to build');
  }
  // Without a stamp, a build that is cut off is made again.
  rmSync(stamp, { force: true });
  await runVite(root);
  const guide = join(root, 'dist/guide');
  if (existsSync(guide)) cpSync(guide, join(root, 'dist/web/guide'), { recursive: true });
  writeFileSync(stamp, wanted);
  return 'built';
}

/** A hash over the names and contents of all sources. */
function fingerprint(root: string): string {
  const hash = createHash('sha256');
  for (const path of globSync(SOURCES, { cwd: root }).toSorted()) {
    if (!statSync(join(root, path)).isFile()) continue;
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

async function runVite(root: string): Promise<void> {
  // Only now, as it takes a while to load and most starts need no build.
  const { build } = await import('vite');
  // Vite takes a NODE_ENV that is set for its own: under a test runner React's development build would be served.
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({
      configFile: join(root, 'vite.config.ts'),
      root: join(root, 'web'),
      logLevel: 'warn',
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`the dashboard does not build: ${reason}`);
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}
