import { create, globals } from 'webgpu';

// Dawn ends the process when the object of create() is collected: it stays on globalThis.
Object.assign(globalThis, globals);
Object.defineProperty(globalThis.navigator, 'gpu', { value: create([]), configurable: true });

/**
 * While a device works, Dawn (webgpu 0.6) looks at it in every turn of the event loop, by way of the
 * global setImmediate: half of the processor's time, on an adapter that is the processor. A look
 * every millisecond will do. Delete this once Dawn waits without a loop.
 */
function lookLessOften(): void {
  const { setImmediate } = globalThis;
  const isOfDawn = (task: () => void) => String(task).includes('[native code]');
  const paced = (task: () => void, ...rest: []) =>
    isOfDawn(task) ? setTimeout(task, 1) : setImmediate(task, ...rest);
  globalThis.setImmediate = Object.assign(paced, setImmediate) as typeof setImmediate;
}
lookLessOften();
