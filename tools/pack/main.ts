import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { refuseNewerThanNode20 } from './old-node.ts';
import { writeManifest } from './manifest.ts';
import { packed, root } from './places.ts';
import { writeScripts } from './scripts.ts';
import { writeTypes } from './types.ts';

/**
 * Packs the library: `npm run pack` writes dist/spikegrid-x.y.z.tgz, which `npm install` takes. Its scripts are
 * ESM for Node and for browsers, with types, source maps, kernels and shaders.
 */
const startMs = performance.now();
rmSync(packed, { recursive: true, force: true });
mkdirSync(packed, { recursive: true });
execFileSync(join(root, 'node_modules/.bin/tsc'), ['-b', 'library'], {
  cwd: root,
  stdio: [0, 2, 2],
});
const { name, version } = writeManifest();
const declarations = writeTypes();
await writeScripts();
refuseNewerThanNode20();
copyFileSync(join(root, 'library/README.md'), join(packed, 'README.md'));
copyTemplates();
const npm = ['pack', '--silent', '--pack-destination', '..'];
execFileSync('npm', npm, { cwd: packed, stdio: ['ignore', 'ignore', 2] });
const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
console.log(`dist/${name}-${version}.tgz: ${declarations} files of types; packed in ${seconds} s`);

/** Of `spikegrid new`; what checks their types stays here. */
function copyTemplates(): void {
  const from = join(root, 'compute/templates');
  cpSync(from, join(packed, 'templates'), {
    recursive: true,
    filter: (path) => path !== join(from, 'tsconfig.json'),
  });
}
