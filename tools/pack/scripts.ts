import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { makeTemplates } from '../../shaders/make-templates.ts';
import { readShaders } from '../../shaders/source-node.ts';
import { PURE_CALLS } from '../pure-calls.ts';
import { createAreaImports } from './kernel-areas.ts';
import {
  ASSETS,
  COMMAND,
  entriesOf,
  type Environment,
  packed,
  PEERS,
  root,
  scriptOf,
} from './places.ts';

const dist = join(packed, 'dist');
const kernels = join(root, 'engine/backends/wasm/build');
const BUILDS = ['relaxed-shared', 'relaxed-own', 'plain-shared', 'plain-own'] as const;

/** Node 20 and the browsers of its time. */
const TARGET = 'es2022';

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: TARGET,
  sourcemap: true,
  logLevel: 'warning',
  external: Object.keys(PEERS),
} as const satisfies BuildOptions;

/** Writes the scripts of both environments with what they load while they run. */
export async function writeScripts(): Promise<void> {
  mkdirSync(join(dist, ASSETS), { recursive: true });
  for (const name of BUILDS) {
    copyFileSync(join(kernels, `layers-${name}.wasm`), join(dist, ASSETS, `${name}.wasm`));
    copyFileSync(join(kernels, `whole-${name}.wasm`), join(dist, ASSETS, `whole-${name}.wasm`));
  }
  const templates = JSON.stringify(await makeTemplates(readShaders()));
  writeFileSync(join(dist, ASSETS, 'shader-templates.json'), templates);
  await Promise.all([
    ...(['web', 'node'] as const).map(bundle),
    bundleCommand(),
    bundleThread('engine/backends/wasm/host/thread-web.ts', 'browser'),
    bundleThread('engine/backends/wasm/host/thread-node.ts', 'node'),
    bundleThread('compute/nir/hdf5-thread.ts', 'node'),
  ]);
}

/** All entries of an environment; what several need lies in chunks. */
function bundle(environment: Environment) {
  const scripts = entriesOf(environment).map((entry) => ({
    in: join(root, 'library', `${entry}.ts`),
    out: scriptOf(entry, environment).slice(0, -'.js'.length),
  }));
  return build({
    ...COMMON,
    entryPoints: scripts,
    outdir: dist,
    splitting: true,
    chunkNames: `${environment}-[hash]`,
    platform: environment === 'node' ? 'node' : 'browser',
    plugins: [filesBeside(environment), withoutEffects, pureCalls],
  });
}

/** One script: what it needs of the engine is little. */
function bundleCommand() {
  return build({
    ...COMMON,
    entryPoints: [{ in: join(root, 'compute/project/main.ts'), out: COMMAND }],
    outdir: dist,
    platform: 'node',
    banner: { js: '#!/usr/bin/env node' },
    plugins: [filesBeside('node'), withoutEffects, pureCalls],
  });
}

/** A thread is one file: whoever bundles copies it as it is. */
function bundleThread(path: string, platform: 'node' | 'browser') {
  const outdir = join(dist, ASSETS);
  const plugins = [withoutEffects, pureCalls];
  return build({ ...COMMON, entryPoints: [path], outdir, platform, minify: true, plugins });
}

const asset = (name: string) => `new URL('./${ASSETS}/${name}', import.meta.url)`;

/** Kernels, shaders and threads are named as `new URL('./assets/…', import.meta.url)`, which bundlers and servers know. */
export function filesBeside(environment: Environment): Plugin {
  return {
    name: 'files-beside',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^#shaders$/ }, () => ({
        path: join(root, `shaders/source-${environment === 'node' ? 'packed' : 'vite'}.ts`),
      }));
      onResolve({ filter: /^#wasm-host$/ }, () => ({
        path: join(root, `engine/backends/wasm/host/host-packed-${environment}.ts`),
      }));
      onResolve({ filter: /\.wasm\?url$|^virtual:shader-templates$/ }, ({ path }) => ({
        path: path.startsWith('virtual:')
          ? 'shader-templates.json'
          : (path.split('/').at(-1) ?? '').slice(0, -'?url'.length),
        namespace: 'asset',
      }));
      onLoad({ filter: /\.wasm$/, namespace: 'asset' }, ({ path }) => ({
        contents: `export default ${asset(path)}.href;`,
      }));
      onLoad({ filter: /\.json$/, namespace: 'asset' }, ({ path }) => ({
        contents: `export const url = ${asset(path)}.href;`,
      }));
      onLoad({ filter: /(host-(node|web)|decode-isolated)\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8')
          .replace("'../build/'", `'./${ASSETS}/'`)
          .replace(/'\.\/([\w-]+)\.ts', import\.meta\.url/, `'./${ASSETS}/$1.js', import.meta.url`),
        loader: 'ts',
      }));
    },
  };
}

/** Calls of the language whose results nobody may need, such as a table of layers by name. */
const PLAIN_CALLS = String.raw`new (?:Map|Set|WeakMap|WeakSet|RegExp)|Object\.(?:entries|fromEntries|keys|values)`;
const PURE = new RegExp(
  String.raw`(?<![\w.$]|function )(?:${[...PURE_CALLS.map((one) => one.replace('.', String.raw`\.`)), PLAIN_CALLS].join('|')})\(`,
  'g',
);
const areaImports = await createAreaImports();

/** Marks calls that a bundler may drop where nobody needs their value, and imports kernels by area. */
export const pureCalls: Plugin = {
  name: 'pure-calls',
  setup({ onLoad }) {
    onLoad({ filter: /\/engine\/.*\.ts$/ }, ({ path }) => ({
      contents: areaImports(readFileSync(path, 'utf8')).replaceAll(
        PURE,
        (call) => `/* @__PURE__ */ ${call}`,
      ),
      loader: 'ts',
    }));
  },
};

/** No module of ours does anything when it is loaded: one of which nothing is needed is left out. */
export const withoutEffects: Plugin = {
  name: 'without-effects',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir, kind }) =>
      kind === 'entry-point' ? undefined : { path: join(resolveDir, path), sideEffects: false },
    );
  },
};
