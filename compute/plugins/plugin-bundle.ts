import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PluginBuild } from 'esbuild';
import { EngineError } from '../../engine/index.ts';
import { cachedBuild } from '../launcher/cached-build.ts';
import type { Bundled, Unbundled } from './plugin-bundler.ts';
import type { PluginFolder } from './plugin-folder.ts';
import { limited } from './sandbox.ts';

/** The WASM that it computes on: compiled by the runtime, as a plugin may compile none. */
export const KERNELS_MODULE = './kernels.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pathOf = (place: string) => `${root}${place}`;
export const kernelsPath = pathOf('engine/backends/wasm/build/plain-own.wasm');

/** The plugin API and its runner, as one module for every runtime. */
export async function bundleApi(): Promise<string> {
  return cachedBuild({
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

const BUNDLING = { heapMb: 256, dataMb: 768, ms: 20_000 } as const;

/**
 * The modules of a plugin as one, made of the bytes that were hashed, in a process of its own: a module
 * that is too much for it takes nothing else along.
 *
 * @throws EngineError plugin-refused naming what it may not import, or the place of a mistake
 */
export async function bundlePlugin({ files, manifest }: PluginFolder): Promise<string> {
  const bundler = fileURLToPath(new URL('./plugin-bundler.ts', import.meta.url));
  const [command = '', ...args] = limited(BUNDLING, [process.execPath, bundler]);
  const child = spawn(command, args, {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    timeout: BUNDLING.ms,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'exit').then((): [Bundled] => [
    { mistake: 'its modules are too large or too deep to be put together' },
  ]);
  // It may be gone by then.
  child.send({ files, entry: manifest.entry } satisfies Unbundled, () => {});
  const [made] = (await Promise.race([once(child, 'message'), ended])) as [Bundled];
  if ('text' in made) return made.text;
  throw new EngineError('plugin-refused', made.mistake);
}
