import { EngineError } from '../../../errors.ts';
import edgeOwn from '../build/edge-own.wasm';
import type { Host } from './host.ts';

/** Cloudflare Workers: one thread, and a module compiled when the Worker is deployed, as none may be at run time. */
export const host: Host = {
  cores: 1,
  canShare: false,
  compile: async (build) => (build === 'plain-own' ? edgeOwn : undefined),
  compileWhole: () =>
    Promise.reject(
      new EngineError('no-adapter', 'a program trains: the edge has no kernels for it'),
    ),
  emit(missing) {
    const names = missing.map(({ variant }) => variant.name).join(', ');
    const message = `the edge has no kernel ${names}: it compiles none, expected one of its build`;
    return Promise.reject(new EngineError('no-adapter', message));
  },
  spawn: () =>
    Promise.reject(new EngineError('no-adapter', 'the edge has one thread: expected no other')),
  turn: () => new Promise((resolve) => setTimeout(resolve, 0)),
};
