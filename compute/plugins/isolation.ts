import {
  EngineError,
  parseMetadata,
  type PluginContext,
  type PluginMetadata,
} from '../../engine/index.ts';
import type { PluginFolder } from './plugin-folder.ts';
import { type Outside, PluginProcess, type ProcessLimits } from './plugin-process.ts';
import type { Task } from './plugin-protocol.ts';
import {
  type Runtime,
  type RuntimeOptions,
  startIsolate,
  startProcess,
} from './plugin-runtimes.ts';

/** The process of one plugin, started anew where it ended. */
export class Isolation {
  readonly #folder: PluginFolder;
  readonly #limits: ProcessLimits;
  #process: PluginProcess | undefined;
  #context: PluginContext | undefined;

  constructor(folder: PluginFolder, limits: ProcessLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /**
   * Starts the process, and has the plugin describe itself.
   *
   * @throws EngineError plugin-refused or plugin-failed, also where it contradicts its manifest
   */
  async start(): Promise<PluginMetadata> {
    const { process, metadata } = await PluginProcess.start(
      (onSpawn) => this.#open(onSpawn),
      this.#limits,
      this.#outside(),
    );
    try {
      const found = parseMetadata(metadata);
      refuseContradiction(this.#folder, found);
      this.#process = process;
      return found;
    } catch (error) {
      await process.end();
      throw error;
    }
  }

  async initialize(context: PluginContext): Promise<void> {
    this.#context = context;
    if (!this.#process?.isAlive) await this.start();
    await this.call({ method: 'initialize', configuration: context.configuration });
  }

  /** @throws EngineError */
  async call(task: Task): Promise<unknown> {
    if (this.#process) return this.#process.call(task);
    throw new EngineError('plugin-failed', 'its process was not started');
  }

  async end(): Promise<void> {
    await this.#process?.end();
  }

  /** A plugin that only computes does not need Node. */
  #open(onSpawn: RuntimeOptions['onSpawn']): Promise<Runtime> {
    const options = { folder: this.#folder, limits: this.#limits, onSpawn };
    const { permissions } = this.#folder.manifest;
    if (permissions.length === 0) return startIsolate(options);
    return startProcess(options, permissions.includes('network'));
  }

  #outside(): Outside {
    return {
      log: (level, message) => this.#context?.log(level, message),
      failed: (reason) => this.#context?.fail(reason),
      execute: async (dependency, inputs) => {
        if (this.#context) return this.#context.execute(dependency, inputs);
        throw new EngineError('plugin-refused', 'it is not initialized');
      },
    };
  }
}

/** @throws EngineError plugin-refused naming the first thing that differs */
function refuseContradiction({ manifest }: PluginFolder, found: PluginMetadata): void {
  const said: readonly (readonly [string, string, string])[] = [
    ['name', manifest.name, found.name],
    ['type', manifest.type, found.type],
    ['version', manifest.version, found.version],
    ['dependencies', shown(manifest.dependencies), shown(found.dependencies)],
  ];
  for (const [member, promised, actual] of said) {
    if (promised === actual) continue;
    throw new EngineError(
      'plugin-refused',
      `its metadata says ${member} ${actual}, but its manifest ${promised}`,
    );
  }
}

const shown = (dependencies: Readonly<Record<string, string>>) =>
  JSON.stringify(Object.entries(dependencies).toSorted(([a], [b]) => (a < b ? -1 : 1)));
