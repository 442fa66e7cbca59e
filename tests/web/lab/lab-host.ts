import { onTestFinished } from 'vitest';
import { createRegistryClient } from '../../../edge/registry/contract/client.ts';
import { type Backend, openBackend } from '../../../engine/index.ts';
import type { Outcome } from '../../../web/lab/failure.ts';
import { EngineHost, type HostSources } from '../../../web/lab/host/engine-host.ts';
import type {
  Command,
  FromWorker,
  LabEvent,
  OpenCommand,
  RequestKind,
  RequestMessage,
  Requests,
  GenerationRequest,
} from '../../../web/lab/protocol.ts';

/** Small enough that the reference trains a step in about a millisecond. */
export const SETTINGS: OpenCommand['settings'] = {
  architecture: 'dense_chronospike',
  fields: { d_model: 8, n_heads: 2, num_blocks: 1, time_steps: 2, seq_len: 8 },
  batch: 2,
  learningRate: 0.01,
  seed: 7,
  budget: { kind: 'steps', steps: 12 },
};

export const OPEN: OpenCommand & { kind: 'open' } = {
  kind: 'open',
  settings: SETTINGS,
  device: 'reference',
  validateEvery: 4,
  from: 'start',
  next: 'train',
};

export const WRITE: GenerationRequest = {
  writer: { kind: 'lab' },
  device: 'reference',
  prompt: 'the ',
  tokens: 20,
  temperature: 0.8,
  topK: 0,
  topP: 1,
  seed: 3,
};

export const TEXT = 'the cat sat on the mat and the dog sat on the log. '.repeat(20);

/** The worker's side of the lab, with the real engine on its reference, and what it said. Closed when the test ends. */
export function startHost(sources: Partial<HostSources> = {}) {
  const said: FromWorker[] = [];
  const waiting = new Set<() => void>();
  let requests = 0;
  const host = new EngineHost({
    post(message, transfer = []) {
      // As a message goes to another thread: only what can be cloned, and transferred buffers are gone.
      said.push(structuredClone(message, { transfer }));
      for (const look of waiting) look();
    },
    openBackend: () => openBackend('reference', { gpu: undefined }),
    registry: createRegistryClient({ base: '/registry' }),
    fetch,
    now: () => performance.now(),
    ...sources,
  });

  onTestFinished(() => host.close());

  /** The first message of a kind that `isIt` accepts, among those after `from`. */
  function nextEvent<K extends FromWorker['kind']>(
    kind: K,
    isIt: (message: Extract<FromWorker, { kind: K }>) => boolean = () => true,
    from = 0,
  ): Promise<Extract<FromWorker, { kind: K }>> {
    return new Promise((resolve) => {
      const look = () => {
        const found = said
          .slice(from)
          .find((message) => message.kind === kind && isIt(message as never));
        if (!found) return;
        waiting.delete(look);
        resolve(found as never);
      };
      waiting.add(look);
      look();
    });
  }

  const command = (given: Command) => host.receive({ kind: 'command', command: given });

  return {
    host,
    said,
    nextEvent,
    command,
    /** The messages of one kind so far. */
    all: <K extends LabEvent['kind']>(kind: K) =>
      said.filter((message) => message.kind === kind) as Extract<LabEvent, { kind: K }>[],
    async ask<K extends RequestKind>(
      what: K,
      ask: Requests[K]['ask'],
    ): Promise<Outcome<Requests[K]['answer']>> {
      const id = ++requests;
      host.receive({ kind: 'request', id, what, ask } as RequestMessage);
      const { outcome } = await nextEvent('answer', (answer) => answer.id === id);
      return outcome as Outcome<Requests[K]['answer']>;
    },
    async openText(text = TEXT) {
      const from = said.length;
      command({
        kind: 'open-data',
        choice: { kind: 'pasted', name: 'cats', text },
        settings: SETTINGS,
      });
      const isRead = ({ data: { status } }: Extract<LabEvent, { kind: 'data' }>) =>
        status === 'open' || status === 'refused';
      return (await nextEvent('data', isRead, from)).data;
    },
    /** Waits for the run to be in a state, from now on. */
    async run(status: string, from = said.length) {
      return (await nextEvent('run', ({ run }) => run.status === status, from)).run;
    },
  };
}

export type LabHost = ReturnType<typeof startHost>;

/** A device that can be taken away, as a driver does. */
export async function openFragileBackend(): Promise<{ backend: Backend; lose: () => void }> {
  const backend = await openBackend('reference', { gpu: undefined });
  const { promise, resolve } = Promise.withResolvers<string>();
  return {
    backend: { ...backend, lost: promise, load: (...args) => backend.load(...args) },
    lose: () => resolve('the WebGPU device was lost: unplugged'),
  };
}
