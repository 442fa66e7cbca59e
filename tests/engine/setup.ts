import { create, globals } from 'webgpu';

// Dawn ends the process when the object of create() is collected: it stays on globalThis.
Object.assign(globalThis, globals);
Object.defineProperty(globalThis.navigator, 'gpu', { value: create([]), configurable: true });
