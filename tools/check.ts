import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Types, lint (with the import boundaries and cycles) and format, in this order; stops at the first that fails. */
const root = fileURLToPath(new URL('..', import.meta.url));
const steps: readonly (readonly [string, ...string[]])[] = [
  ['tsc', '-b'],
  ['oxlint', '--deny-warnings'],
  ['oxfmt', '--check'],
];

for (const [tool, ...args] of steps) {
  const started = performance.now();
  const { status } = spawnSync(`${root}node_modules/.bin/${tool}`, args, {
    cwd: root,
    stdio: 'inherit',
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${tool} ${args.join(' ')} (${seconds} s)`);
  if (status !== 0) process.exit(1);
}
