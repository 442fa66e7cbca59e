import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  callersCode,
  EngineError,
  type LogLevel,
  type PluginValues,
  withinTime,
} from '../../engine/index.ts';
import type { PluginFolder } from './plugin-folder.ts';
import { resultOf } from './thread-result.ts';
import type { FromThread, Result, Task, ThreadData, ToThread } from './thread-protocol.ts';

/** What a plugin's thread may take. */
export interface ThreadLimits {
  /** Of its heap; typed arrays are not counted by V8. */
  readonly heapMb: number;
  /** For its module to be read and to say what it is. */
  readonly startMs: number;
  /** For each step of a layer's life. */
  readonly layerMs: number;
}

export const threadLimits: ThreadLimits = { heapMb: 128, startMs: 30_000, layerMs: 60_000 };

/** What a thread may turn to while it runs. */
export interface Outside {
  log(level: LogLevel, message: string): void;
  /** It ended, or said that it cannot go on, while nothing was asked of it. */
  failed(reason: string): void;
  execute(dependency: string, inputs: PluginValues): Promise<PluginValues>;
}

const root = new URL('../../', import.meta.url);
const PLATFORM = ['engine/', 'shaders/', 'compute/plugins/', 'edge/', 'node_modules/'];

/** A worker thread with a plugin in it. What it sends is not to be relied on: it is data of a stranger. */
export class PluginThread {
  readonly #worker: Worker;
  readonly #outside: Outside;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #ready = Promise.withResolvers<unknown>();
  #latest = 0;
  #ended: string | undefined;

  private constructor(worker: Worker, outside: Outside) {
    this.#worker = worker;
    this.#outside = outside;
    worker.on('message', (message: FromThread) => this.#receive(message));
    worker.on('error', (error) => this.#lost(endingOf(error)));
    worker.on('exit', (code) => this.#lost(`its thread ended with exit code ${code}`));
    for (const [stream, level] of [
      [worker.stdout, 'info'],
      [worker.stderr, 'warn'],
    ] as const) {
      createInterface({ input: stream }).on('line', (line) => outside.log(level, line));
    }
    // It must not keep a process alive that is done.
    worker.unref();
  }

  /**
   * Starts a thread for a plugin, and has it say what it is.
   *
   * @throws EngineError plugin-refused or plugin-failed; no thread is left then
   */
  static async start(
    folder: PluginFolder,
    { heapMb, startMs }: ThreadLimits,
    outside: Outside,
  ): Promise<{ thread: PluginThread; metadata: unknown }> {
    const thread = new PluginThread(spawn(folder, heapMb), outside);
    try {
      const metadata = await withinTime('loading it', startMs, thread.#ready.promise);
      return { thread, metadata };
    } catch (error) {
      await thread.end();
      throw error;
    }
  }

  get isAlive(): boolean {
    return this.#ended === undefined;
  }

  /** @throws EngineError plugin-failed, or with the code that the plugin threw */
  async call(task: Task): Promise<unknown> {
    if (this.#ended !== undefined) throw failure(this.#ended);
    this.#latest += 1;
    const id = this.#latest;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    this.#post({ kind: 'task', id, task });
    return answer.promise;
  }

  /** Ends the thread wherever it is, in a loop without end as well. */
  async end(): Promise<void> {
    this.#stop('it was ended');
    await this.#worker.terminate();
  }

  #receive(message: FromThread): void {
    switch (message.kind) {
      case 'ready':
        this.#ready.resolve(message.metadata);
        return;
      case 'refused':
        this.#ready.reject(new EngineError('plugin-refused', message.reason));
        return;
      case 'result':
        this.#settle(message.id, message.result);
        return;
      case 'log':
        this.#outside.log(message.level, String(message.message));
        return;
      case 'fail':
        this.#outside.failed(String(message.reason));
        return;
      case 'ask':
        void this.#answer(message);
    }
  }

  async #answer({ id, dependency, inputs }: Extract<FromThread, { kind: 'ask' }>): Promise<void> {
    const result = await resultOf(() => this.#outside.execute(dependency, inputs));
    this.#post({ kind: 'answer', id, result });
  }

  #settle(id: number, result: Result): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (result.ok) waiting?.resolve(result.value);
    else waiting?.reject(thrownBy(result));
  }

  #post(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(message);
  }

  /** It ended by itself. */
  #lost(reason: string): void {
    const isNew = this.#ended === undefined;
    const wasAsked = this.#stop(reason);
    if (isNew && !wasAsked) this.#outside.failed(reason);
  }

  /** Answers what is asked for no more. @returns whether anything was */
  #stop(reason: string): boolean {
    if (this.#ended !== undefined) return false;
    this.#ended = reason;
    // Once it is ready, nobody waits for this.
    this.#ready.promise.catch(() => {});
    this.#ready.reject(failure(reason));
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(failure(reason));
    return waiting.length > 0;
  }
}

function spawn({ folder, files, manifest }: PluginFolder, heapMb: number): Worker {
  const { entry, permissions } = manifest;
  const readable = permissions.includes('read-files') ? ['*'] : platformFolders().map(globOf);
  const data: ThreadData = {
    folderUrl: `${pathToFileURL(folder).href}/`,
    files,
    entry,
    permissions,
    apiUrl: new URL('engine/plugins/index.ts', root).href,
    trusted: platformFolders().map((path) => pathToFileURL(path).href),
  };
  return new Worker(new URL('./plugin-thread.ts', import.meta.url), {
    workerData: data,
    name: manifest.name,
    env: {},
    stdout: true,
    stderr: true,
    // No writing, no processes, no further threads, no addons; reading where it says so.
    execArgv: ['--permission', ...readable.map((path) => `--allow-fs-read=${path}`)],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
  });
}

/** Where the platform's own code lies, with a slash at the end; packages may be linked in. */
function platformFolders(): string[] {
  const folders = PLATFORM.map((path) => fileURLToPath(new URL(path, root)));
  const packages = `${realpathSync(fileURLToPath(new URL('node_modules', root)))}/`;
  return [...new Set([...folders, packages])];
}

const globOf = (folder: string) => `${folder}*`;

function endingOf(error: Error & { code?: unknown }): string {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? 'it took more memory than its heap may have'
    : `its thread ended: ${error.message}`;
}

const failure = (reason: string) => new EngineError('plugin-failed', reason);

/** What a caller did wrong stays his fault on this side of the thread. */
function thrownBy({ code, message }: Extract<Result, { ok: false }>): EngineError {
  return new EngineError(callersCode(code) ?? 'plugin-failed', message);
}
