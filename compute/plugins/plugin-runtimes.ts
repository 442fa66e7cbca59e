import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { EngineError } from '../../engine/index.ts';
import { bundleApi, bundlePlugin, KERNELS_MODULE, kernelsPath } from './plugin-bundle.ts';
import type { PluginFolder } from './plugin-folder.ts';
import { confined, confinementFault, limited, type MemoryLimits } from './sandbox.ts';

/** A process with a plugin in it, and the line to it. */
export interface Runtime {
  readonly child: ChildProcess;
  /** Messages from the plugin. */
  readonly input: Readable;
  readonly output: Writable;
  /** Takes its files away; the process has ended by then, or needs them no more. */
  clear(): Promise<void>;
}

export interface RuntimeOptions {
  readonly folder: PluginFolder;
  readonly limits: MemoryLimits;
  /** Told of each process that is started, before it may fail. */
  readonly onSpawn: (child: ChildProcess) => void;
}

// It comes without types; its default is the path of the binary.
const workerd = (createRequire(import.meta.url)('workerd') as { readonly default: string }).default;

const ISOLATE_MAIN = `
import { runPlugin } from './spikegrid.js';
export default {
  fetch({ body }) {
    const { readable, writable } = new TransformStream();
    const writer = writable.getWriter();
    runPlugin({ input: body, write: (bytes) => writer.write(bytes) }, () => import('./plugin.js'));
    return new Response(readable, { headers: { 'content-encoding': 'identity' } });
  },
};`;

/** No way out: neither the worker's own requests nor anything by the name of the internet. */
const isolateConfig = ({ heapMb }: MemoryLimits) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ["--max-old-space-size=${heapMb}"],
  services = [
    (name = "nowhere", network = (allow = [])),
    (name = "internet", network = (allow = [])),
    (name = "plugin", worker = (
      modules = [
        (name = "main.js", esModule = embed "main.js"),
        (name = "spikegrid.js", esModule = embed "spikegrid.js"),
        (name = "plugin.js", esModule = embed "plugin.js"),
        (name = "${KERNELS_MODULE.slice(2)}", wasm = embed "kernels.wasm"),
      ],
      compatibilityDate = "2026-10-23",
      compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2"],
      globalOutbound = "nowhere",
    )),
  ],
  sockets = [(name = "door", http = (), service = "plugin")],
);`;

/**
 * Starts a plugin in a workerd of its own, which serves nothing but one request over a socket that is
 * unlinked at once: the line to the plugin.
 *
 * @throws EngineError plugin-refused or plugin-failed
 */
export async function startIsolate(options: RuntimeOptions): Promise<Runtime> {
  const { folder, limits, onSpawn } = options;
  const [api, plugin] = await Promise.all([bundleApi(), bundlePlugin(folder)]);
  const home = await mkdtemp(join(tmpdir(), 'spikegrid-isolate-'));
  const clear = () => rm(home, { recursive: true, force: true });
  try {
    await write(home, {
      'config.capnp': isolateConfig(limits),
      'main.js': ISOLATE_MAIN,
      'spikegrid.js': api,
      'plugin.js': plugin,
    });
    await copyFile(kernelsPath, join(home, 'kernels.wasm'));
    const door = join(home, 'door');
    const serve = ['serve', join(home, 'config.capnp'), `--socket-addr=door=unix:${door}`];
    const command = limited(limits, [workerd, ...serve, '--control-fd=3']);
    const child = start(command, onSpawn);
    await serving(child, child.stdio[3] as Readable);
    const ask = request({ socketPath: door, method: 'POST', path: '/' });
    ask.flushHeaders();
    const [input] = (await Promise.race([once(ask, 'response'), ended(child)])) as [
      IncomingMessage,
    ];
    ask.on('error', () => {});
    return { child, input, output: ask, clear: async () => {} };
  } finally {
    await clear();
  }
}

const PROCESS_MAIN = (entry: string) => `
import { Socket } from 'node:net';
import { runPlugin } from 'spikegrid';
const line = new Socket({ fd: 3 });
await runPlugin({ input: line, write: (bytes) => line.write(bytes) }, () => import(${JSON.stringify(entry)}));`;

const PROCESS_KERNELS = `
import { readFileSync } from 'node:fs';
export default new WebAssembly.Module(readFileSync(import.meta.dirname + '/kernels.wasm'));`;

/**
 * Starts a plugin in a process of Node that sees a copy of the plugin's folder and nothing else.
 *
 * @throws EngineError plugin-refused where it cannot be kept from the network and may not use it
 */
export async function startProcess(
  { folder, limits, onSpawn }: RuntimeOptions,
  hasNetwork: boolean,
): Promise<Runtime> {
  const { files, manifest } = folder;
  const home = await mkdtemp(join(tmpdir(), 'spikegrid-process-'));
  const clear = () => rm(home, { recursive: true, force: true });
  const [root, visible] = [join(home, 'root'), join(home, 'files')];
  const api = join(visible, 'node_modules/spikegrid');
  try {
    await mkdir(root);
    await write(visible, {
      'package.json': '{"type": "module"}',
      'main.js': PROCESS_MAIN(pathToFileURL(join(visible, 'plugin', manifest.entry)).href),
      'node_modules/spikegrid/package.json': '{"type": "module", "exports": "./spikegrid.js"}',
      'node_modules/spikegrid/spikegrid.js': await bundleApi(),
      [`node_modules/spikegrid/${KERNELS_MODULE}`]: PROCESS_KERNELS,
    });
    await copyFile(kernelsPath, join(api, 'kernels.wasm'));
    await write(join(visible, 'plugin'), Object.fromEntries(files));
    const args = [
      '--permission',
      `--allow-fs-read=${visible}/`,
      `--max-old-space-size=${limits.heapMb}`,
      join(visible, 'main.js'),
    ];
    const isConfined = (await confinementFault()) === undefined;
    const command = isConfined
      ? confined({ limits, hasNetwork, root, files: visible }, args)
      : limited(limits, [process.execPath, ...args]);
    const child = start(command, onSpawn);
    const line = child.stdio[3] as Duplex;
    line.on('error', () => {});
    return { child, input: line, output: line, clear };
  } catch (error) {
    await clear();
    throw error;
  }
}

async function write(
  home: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [place, content] of Object.entries(files)) {
    await mkdir(dirname(join(home, place)), { recursive: true });
    await writeFile(join(home, place), content);
  }
}

/** Nothing of this process's environment goes along but where commands are. */
function start([command = '', ...args]: readonly string[], onSpawn: RuntimeOptions['onSpawn']) {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  onSpawn(child);
  return child;
}

const serving = (child: ChildProcess, control: Readable) =>
  Promise.race([once(control, 'data'), ended(child)]);

async function ended(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new EngineError('plugin-failed', 'its process ended before it could load');
}
