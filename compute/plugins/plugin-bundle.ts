import { fileURLToPath } from 'node:url';
import type { Loader, Plugin, PluginBuild } from 'esbuild';
import { EngineError } from '../../engine/index.ts';
import { keptBuild } from '../launcher/kept-build.ts';
import type { PluginFolder } from './plugin-folder.ts';

/** The module that a plugin imports as `spikegrid`, beside its own. */
export const API_MODULE = './spikegrid.js';
/** The WASM that it computes on: compiled by the runtime, as a plugin may compile none. */
export const KERNELS_MODULE = './kernels.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pathOf = (place: string) => `${root}${place}`;
export const kernelsPath = pathOf('engine/backends/wasm/build/plain-own.wasm');

const LOADERS: Readonly<Record<string, Loader>> = { js: 'js', mjs: 'js', ts: 'ts', json: 'json' };
const OWN = 'plugin';

/** What plugins are written with and their runner, as one module for every runtime. */
export async function bundleApi(): Promise<string> {
  return keptBuild({
    path: pathOf('dist/plugins/api.json'),
    key: 'api',
    make: async () => {
      const { build } = await import('esbuild');
      const { outputFiles, metafile } = await build({
        absWorkingDir: root,
        entryPoints: ['compute/plugins/plugin-runner.ts'],
        bundle: true,
        format: 'esm',
        platform: 'neutral',
        target: 'es2024',
        mainFields: ['module', 'main'],
        conditions: ['workerd', 'worker', 'browser', 'import'],
        plugins: [{ name: 'kernels', setup: leaveKernels }],
        metafile: true,
        write: false,
        logLevel: 'silent',
      });
      const inputs = ['package-lock.json', 'tsconfig.base.json', ...Object.keys(metafile.inputs)];
      return { value: outputFiles[0]?.text ?? '', inputs: inputs.map(pathOf) };
    },
  });
}

function leaveKernels({ onResolve }: PluginBuild): void {
  onResolve({ filter: /\.wasm$/ }, () => ({ path: KERNELS_MODULE, external: true }));
}

/**
 * The modules of a plugin as one, made of the bytes that were hashed. esbuild is a process of its own: a
 * module that is too much for it takes nothing else along.
 *
 * @throws EngineError plugin-refused naming what it may not import, or the place of a mistake
 */
export async function bundlePlugin({ files, manifest }: PluginFolder): Promise<string> {
  const { build } = await import('esbuild');
  try {
    const { outputFiles } = await build({
      entryPoints: [manifest.entry],
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2024',
      write: false,
      logLevel: 'silent',
      plugins: [ownFiles(files)],
    });
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    throw new EngineError('plugin-refused', mistakeOf(error), { cause: error });
  }
}

/** Has a plugin import `spikegrid` and its own files, as they were read, and nothing else. */
const ownFiles = (files: PluginFolder['files']): Plugin => ({
  name: OWN,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return { path, namespace: OWN };
      if (path === 'spikegrid') return { path: API_MODULE, external: true };
      const place = /^\.{0,2}\//.test(path) ? placeOf(path, importer) : '';
      if (files.has(place)) return { path: place, namespace: OWN };
      // What is imported while it runs fails then, as the isolate has no such module.
      if (kind === 'dynamic-import') return { path, external: true };
      const text = `it may not import "${path}": expected "spikegrid" or a file of its folder; modules of Node are for plugins with the permission node`;
      return { errors: [{ text }] };
    });
    onLoad({ filter: /.*/, namespace: OWN }, ({ path }) => {
      const loader = LOADERS[/\.(\w+)$/.exec(path)?.[1] ?? ''];
      const contents = files.get(path);
      if (loader && contents) return { contents, loader };
      return { errors: [{ text: `${path} is no .js, .mjs, .ts or .json` }] };
    });
  },
});

/** Where an import of a module leads below the folder; empty where it leads out of it. */
function placeOf(path: string, importer: string): string {
  const base = `file:///${OWN}/`;
  const { href } = new URL(path, new URL(encodeURI(importer), base));
  return href.startsWith(base) ? decodeURI(href.slice(base.length)) : '';
}

interface Mistake {
  readonly text: string;
  readonly location: { readonly file: string; readonly line: number } | null;
}

/** The first thing that is wrong, with its place. */
function mistakeOf(error: unknown): string {
  const [first] = (error as { readonly errors?: readonly Mistake[] }).errors ?? [];
  if (!first) return error instanceof Error ? error.message : String(error);
  const { text, location } = first;
  return location ? `${location.file.replace(`${OWN}:`, '')}:${location.line}: ${text}` : text;
}
