import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { EngineError } from '../../../errors.ts';
import type { Host } from './host.ts';

const builds = new URL('../build/', import.meta.url);

/** Node: worker threads, kernels read from the folder they are built into. */
export const host: Host = {
  cores: availableParallelism(),
  canShare: true,
  compile: (build) => compileFile(`${build}.wasm`),
  async emit(missing, kind) {
    const { emitMissing } = await import('../emit/emit-missing.ts');
    return WebAssembly.compile(emitMissing(missing, kind));
  },
  spawn(task) {
    const worker = new Worker(new URL('./thread-node.ts', import.meta.url), { workerData: task });
    // A training run that is done must not be kept alive by threads that wait for more.
    worker.unref();
    const ended = new Promise<string>((resolve) => {
      worker.once('error', (error) => resolve(error.message));
      worker.once('exit', (code) => resolve(`exit code ${code}`));
    });
    const thread = { ended, end: () => void worker.terminate() };
    return new Promise((resolve, reject) => {
      worker.once('message', () => resolve(thread));
      void ended.then((reason) =>
        reject(new EngineError('device-lost', `a thread ended: ${reason}`)),
      );
    });
  },
  turn: () => setImmediate(),
};

/** A build of the folder, made ready; undefined where this machine cannot run it. */
export async function compileFile(name: string): Promise<WebAssembly.Module | undefined> {
  const bytes = await read(new URL(name, builds));
  return WebAssembly.validate(bytes) ? WebAssembly.compile(bytes) : undefined;
}

async function read(file: URL): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(file));
  } catch (cause) {
    const message = `there is no build of the WASM kernels at ${file.pathname}`;
    throw new EngineError('no-adapter', message, { cause });
  }
}
