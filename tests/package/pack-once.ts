import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './packed-app.ts';

/** Packs the library before the first of these tests: they run side by side, and there is one folder to pack in. */
export function setup(): void {
  execFileSync(process.execPath, [join(root, 'tools/pack/main.ts')], {
    cwd: root,
    stdio: [0, 2, 2],
  });
}
