import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { status } = spawnSync(`${root}node_modules/.bin/oxfmt`, process.argv.slice(2), {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
