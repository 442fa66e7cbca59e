import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Builds the guide into dist/guide. Its generator is a package of its own, docs/site, which only this command
 * installs: nothing of the platform needs it.
 */
const site = fileURLToPath(new URL('../docs/site/', import.meta.url));
const stamp = `${site}node_modules/.spikegrid-lock`;
const lock = createHash('sha256')
  .update(readFileSync(`${site}package-lock.json`))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.log('spikegrid: installing the generator of the guide …');
  // esbuild's script only tries its binary, which npm has put there.
  const ci = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ci);
  writeFileSync(stamp, lock);
}
run(process.execPath, ['build.mjs']);

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
