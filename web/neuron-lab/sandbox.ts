import { type Caller, createCaller } from '../workers/calls.ts';
import type { ModelFacts, NeuronRunner, SandboxCalls } from './protocol.ts';

/** A place where code that nobody knows computes a neuron. */
export interface Sandbox {
  /** Takes up the code of a module. Throws where it is wrong or takes too long. */
  load(code: string): Promise<ModelFacts>;
  readonly runner: NeuronRunner;
  close(): void;
}

/** An answer that takes longer than this, ms, will not come: a loop without end has to be ended. */
const PATIENCE_MS = 3000;

/**
 * Opens a worker whose script the gateway serves under a policy of its own: it may run code that it is
 * given, and reach neither this server nor any other.
 */
export function openSandbox(): Sandbox {
  const worker = new Worker(new URL('./plugin-sandbox.ts', import.meta.url), { type: 'module' });
  const caller: Caller<SandboxCalls> = createCaller(worker);

  async function patiently<T>(answer: Promise<T>): Promise<T> {
    const limit = setTimeout(
      () => caller.close(`it took longer than ${PATIENCE_MS / 1000} s`),
      PATIENCE_MS,
    );
    try {
      return await answer;
    } finally {
      clearTimeout(limit);
    }
  }

  return {
    load: (code) => patiently(caller.ask('load', code)),
    runner: {
      run: (ask) => patiently(caller.ask('run', ask)),
      rates: (ask) => patiently(caller.ask('rates', ask)),
    },
    close: () => caller.close('another model was opened'),
  };
}
