import { EngineError } from '../../../errors.ts';
import plainOwn from '../build/plain-own.wasm';
import type { Host } from './host.ts';

/** Cloudflare Workers: one thread, and a module compiled when the Worker is deployed, as none may be at run time. */
export const host: Host = {
  cores: 1,
  canShare: false,
  compile: async (build) => (build === 'plain-own' ? plainOwn : undefined),
  spawn: () =>
    Promise.reject(new EngineError('no-adapter', 'the edge has one thread: expected no other')),
  turn: () => new Promise((resolve) => setTimeout(resolve, 0)),
};
