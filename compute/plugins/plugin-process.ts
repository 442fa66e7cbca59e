import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  callersCode,
  EngineError,
  type LogLevel,
  type PluginValues,
  withinTime,
} from '../../engine/index.ts';
import { type Reaper, startReaper } from '../launcher/reaper.ts';
import { parseFromPlugin } from './from-plugin.ts';
import { encodeMessage, MessageReader } from './message-codec.ts';
import type { FromPlugin, Result, Task, ToPlugin } from './plugin-protocol.ts';
import type { Runtime } from './plugin-runtimes.ts';
import { followLines, OutOfMemory, slowFlood } from './process-output.ts';
import { watchProcessor } from './processor-watch.ts';
import { resultOf } from './result.ts';
import type { MemoryLimits } from './sandbox.ts';

/** Resources that a plugin's process may use. */
export interface ProcessLimits extends MemoryLimits {
  /** For its module to be loaded and to describe itself. */
  readonly startMs: number;
  /** For each step of a layer's life. */
  readonly layerMs: number;
  /** Of processor time that it may spend while nothing is asked of it. */
  readonly idleMs: number;
}

export const processLimits: ProcessLimits = {
  heapMb: 128,
  dataMb: 1024,
  startMs: 30_000,
  layerMs: 60_000,
  idleMs: 2000,
};

/** Host functions that a plugin's process may call while it runs. */
export interface Outside {
  log(level: LogLevel, message: string): void;
  /** It ended, or said that it cannot go on, while nothing was asked of it. */
  failed(reason: string): void;
  execute(dependency: string, inputs: PluginValues): Promise<PluginValues>;
}

/** Starts a plugin in a runtime; reports each process that it starts. */
type StartRuntime = (onSpawn: (child: ChildProcess) => void) => Promise<Runtime>;

const HANG_UP_MS = 500;

/** Executions of other plugins that one may wait for. */
const MAX_ASKED = 64;

let reaper: Reaper | undefined;

/** A process with a plugin in it. What it sends is not to be relied on: it is data of a stranger. */
export class PluginProcess {
  readonly #runtime: Runtime;
  readonly #outside: Outside;
  readonly #outOfMemory: OutOfMemory;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #ready = Promise.withResolvers<unknown>();
  readonly #unwatch: () => void;
  readonly #breathe: () => void;
  #latest = 0;
  #asked = 0;
  #isReady = false;
  #ended: string | undefined;

  private constructor(
    runtime: Runtime,
    outside: Outside,
    outOfMemory: OutOfMemory,
    { idleMs }: ProcessLimits,
  ) {
    this.#runtime = runtime;
    this.#outside = outside;
    this.#outOfMemory = outOfMemory;
    const { child, input } = runtime;
    child.once('exit', (code, signal) => void this.#exited(code, signal));
    input.on('error', () => {});
    // Where it ended, its exit says why, soon.
    input.once('close', () => {
      setTimeout(() => this.#kill('it hung up on its host'), HANG_UP_MS).unref();
    });
    this.#breathe = slowFlood(input);
    const reader = new MessageReader();
    input.on('data', (bytes: Uint8Array) => {
      try {
        for (const message of reader.push(bytes)) this.#receive(parseFromPlugin(message));
      } catch (error) {
        this.#kill(error instanceof Error ? error.message : String(error));
      }
    });
    this.#unwatch = watchProcessor(child, {
      idleMs,
      isAsked: () => this.#ended !== undefined || this.#waiting.size > 0 || !this.#isReady,
      onBusy: () =>
        this.#kill(`it used ${idleMs} ms of processor time while nothing was asked of it`),
    });
  }

  /**
   * Starts a process for a plugin, and has it describe itself.
   *
   * @throws EngineError plugin-refused or plugin-failed; no process is left then
   */
  static async start(
    open: StartRuntime,
    limits: ProcessLimits,
    outside: Outside,
  ): Promise<{ process: PluginProcess; metadata: unknown }> {
    const { startMs } = limits;
    let spawned: ChildProcess | undefined;
    const outOfMemory = new OutOfMemory();
    const opening = open((child) => {
      spawned = child;
      reaper ??= startReaper();
      reaper.cover(child);
      child.on('error', () => {});
      followLines(child, (level, line) => {
        outOfMemory.read(line);
        outside.log(level, line);
      });
      // It must not keep a process alive that is done.
      child.unref();
    });
    const making = opening.then(
      (runtime) => new PluginProcess(runtime, outside, outOfMemory, limits),
    );
    const loading = making.then(async (process) => ({
      process,
      metadata: await process.#ready.promise,
    }));
    try {
      return await withinTime('loading it', startMs, loading);
    } catch (error) {
      spawned?.kill('SIGKILL');
      // One that comes too late has nobody waiting for it.
      void making.then((process) => process.end()).catch(() => {});
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
    // First, as what cannot be sent is not asked.
    const bytes = encodeMessage({ kind: 'task', id, task } satisfies ToPlugin);
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    this.#write(bytes);
    return answer.promise;
  }

  /** Ends the process wherever it is, in a loop without end as well. */
  async end(): Promise<void> {
    this.#stop('it was ended');
    const { child } = this.#runtime;
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.ref();
      child.kill('SIGKILL');
      await gone;
    }
    await this.#runtime.clear();
  }

  #receive(message: FromPlugin): void {
    if (message.kind !== 'result') this.#breathe();
    switch (message.kind) {
      case 'ready':
        this.#isReady = true;
        this.#ready.resolve(message.metadata);
        return;
      case 'refused':
        this.#ready.reject(new EngineError('plugin-refused', message.reason));
        return;
      case 'result':
        this.#settle(message.id, message.result);
        return;
      case 'log':
        this.#outside.log(message.level, message.message);
        return;
      case 'fail':
        this.#outside.failed(message.reason);
        return;
      case 'ask':
        void this.#answer(message);
    }
  }

  async #answer({ id, dependency, inputs }: Extract<FromPlugin, { kind: 'ask' }>): Promise<void> {
    this.#asked += 1;
    const result = await resultOf(() => {
      if (this.#asked <= MAX_ASKED) return this.#outside.execute(dependency, inputs);
      throw new EngineError('plugin-refused', `it waits for ${MAX_ASKED} executions already`);
    });
    this.#asked -= 1;
    this.#write(encodeMessage({ kind: 'answer', id, result } satisfies ToPlugin));
  }

  #settle(id: number, result: Result): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (result.ok) waiting?.resolve(result.value);
    else waiting?.reject(thrownBy(result));
  }

  #write(bytes: readonly Uint8Array[]): void {
    if (this.#ended !== undefined) return;
    for (const part of bytes) this.#runtime.output.write(part);
  }

  async #exited(code: number | null, signal: string | null): Promise<void> {
    const { stderr } = this.#runtime.child;
    // Its last output says why.
    if (stderr && !stderr.closed) await once(stderr, 'close');
    this.#lost(
      this.#outOfMemory.wasRead
        ? 'it took more memory than it may have'
        : `its process ended with ${signal ?? `exit code ${code}`}`,
    );
  }

  /** It ended by itself, or has to. */
  #lost(reason: string): void {
    const isNew = this.#ended === undefined;
    const wasAsked = this.#stop(reason);
    if (isNew && !wasAsked) this.#outside.failed(reason);
  }

  #kill(reason: string): void {
    this.#lost(reason);
    this.#runtime.child.kill('SIGKILL');
  }

  /** Answers what is asked for no more. @returns whether anything was */
  #stop(reason: string): boolean {
    if (this.#ended !== undefined) return false;
    this.#ended = reason;
    this.#unwatch();
    // Once it is ready, nobody waits for this.
    this.#ready.promise.catch(() => {});
    this.#ready.reject(failure(reason));
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(failure(reason));
    return waiting.length > 0 || !this.#isReady;
  }
}

const failure = (reason: string) => new EngineError('plugin-failed', reason);

/** A caller's error stays the caller's on this side of the boundary. */
function thrownBy({ code, message }: Extract<Result, { ok: false }>): EngineError {
  return new EngineError(callersCode(code) ?? 'plugin-failed', message);
}
