import { cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { moveScriptsToFiles } from './content-security.mjs';
import { writeReference } from './reference.mjs';

/**
 * Builds the guide into dist/guide: the reference from the types, then the pages. A dashboard that is built already
 * gets a copy, so that a running platform serves it at once.
 */
const local = (path) => fileURLToPath(new URL(path, import.meta.url));
const dashboard = local('../../dist/web/');
const guide = local('../../dist/guide/');

const started = performance.now();
await writeReference();
// VitePress reads its mode from here.
process.env.NODE_ENV = 'production';
await build(local('.'));
moveScriptsToFiles(guide);
if (existsSync(dashboard)) {
  rmSync(`${dashboard}guide`, { recursive: true, force: true });
  cpSync(guide, `${dashboard}guide`, { recursive: true });
}
console.log(`guide built in ${((performance.now() - started) / 1000).toFixed(1)} s: dist/guide`);
