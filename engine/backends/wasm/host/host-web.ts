import { EngineError } from '../../../errors.ts';
import plainOwn from '../build/plain-own.wasm?url';
import plainShared from '../build/plain-shared.wasm?url';
import relaxedOwn from '../build/relaxed-own.wasm?url';
import relaxedShared from '../build/relaxed-shared.wasm?url';
import type { Build, Host } from './host.ts';

const builds: Readonly<Record<Build, string>> = {
  'relaxed-shared': relaxedShared,
  'relaxed-own': relaxedOwn,
  'plain-shared': plainShared,
  'plain-own': plainOwn,
};

/** A channel that posts to itself through the event loop; a timer would be throttled. */
let turns: MessageChannel | undefined;

/** The browser: workers where the page is isolated from other origins, one thread elsewhere. */
export const host: Host = {
  cores: navigator.hardwareConcurrency,
  canShare: globalThis.crossOriginIsolated,
  compile: (build) => compileFrom(builds[build]),
  async emit(missing, kind) {
    const { emitMissing } = await import('../emit/emit-missing.ts');
    return WebAssembly.compile(emitMissing(missing, kind));
  },
  spawn(task) {
    const worker = new Worker(new URL('./thread-web.ts', import.meta.url), { type: 'module' });
    const ended = new Promise<string>((resolve) => {
      worker.addEventListener('error', (event) => {
        // Dealt with here: it would go on to the page, as an error of the worker that started this one.
        event.preventDefault();
        // A script that cannot be loaded gives an event without a message.
        resolve(event.message || 'its script cannot be loaded');
      });
    });
    const thread = { ended, end: () => worker.terminate() };
    worker.postMessage(task, []);
    return new Promise((resolve, reject) => {
      worker.addEventListener('message', () => resolve(thread), { once: true });
      void ended.then((reason) =>
        reject(new EngineError('device-lost', `a thread ended: ${reason}`)),
      );
    });
  },
  turn() {
    turns ??= new MessageChannel();
    const { port1, port2 } = turns;
    port1.start();
    return new Promise((resolve) => {
      port1.addEventListener('message', () => resolve(), { once: true });
      port2.postMessage(0);
    });
  },
};

/** A build at an address, made ready; undefined where this machine cannot run it. */
export async function compileFrom(address: string): Promise<WebAssembly.Module | undefined> {
  const answer = await fetch(address);
  if (!answer.ok) {
    const message = `${address} answered ${answer.status}: expected a build of the WASM kernels, beside the scripts`;
    throw new EngineError('no-adapter', message);
  }
  const bytes = await answer.arrayBuffer();
  return WebAssembly.validate(bytes) ? WebAssembly.compile(bytes) : undefined;
}
