import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND, entries, entriesOf, packed, PEERS, root, scriptOf } from './places.ts';

/** The package.json of the package; that of the repository has version and licence. */
export function writeManifest(): { readonly name: string; readonly version: string } {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly license?: string;
  };
  const name = 'spikegrid';
  const manifest = {
    name,
    version: own.version,
    description: 'Spiking neural networks in TypeScript: define, train, look inside, save.',
    keywords: ['spiking neural networks', 'snn', 'webgpu', 'wasm', 'neuromorphic', 'nir'],
    ...(own.license !== undefined && { license: own.license }),
    type: 'module',
    sideEffects: false,
    exports: {
      ...Object.fromEntries(entries.map((entry) => [pathOf(entry), exportOf(entry)])),
      './assets/*': './dist/assets/*',
      './package.json': './package.json',
    },
    bin: { spikegrid: `./dist/${COMMAND}.js` },
    files: ['dist', 'types', 'templates'],
    engines: { node: '>=20' },
    peerDependencies: PEERS,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(PEERS).map((peer) => [peer, { optional: true }]),
    ),
  };
  writeFileSync(join(packed, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

const pathOf = (entry: string) => (entry === 'index' ? '.' : `./${entry}`);

/** The first condition that fits counts: types stand first. */
function exportOf(entry: string) {
  const isInBrowsers = entriesOf('web').includes(entry);
  return {
    types: `./types/library/${entry}.d.ts`,
    node: `./dist/${scriptOf(entry, 'node')}`,
    ...(isInBrowsers && { default: `./dist/${scriptOf(entry, 'web')}` }),
  };
}
