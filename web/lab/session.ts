import type { Failure, Outcome } from './failure.ts';
import type {
  Command,
  FromWorker,
  LabEvent,
  RequestKind,
  RequestMessage,
  Requests,
  ToWorker,
} from './protocol.ts';

/** A way to the engine's worker; a test passes its own. */
export interface EnginePort {
  send(message: ToWorker): void;
  /** @param crashed the worker could not be loaded, or threw where it never should */
  listen(onMessage: (message: FromWorker) => void, crashed: (message: string) => void): void;
  close(): void;
}

interface SessionListeners {
  readonly onEvent: (event: LabEvent) => void;
  /** The worker is of no use any more. */
  readonly crashed: (failure: Failure) => void;
}

/** The page's side of the protocol: numbers the requests and hands each answer to who asked. */
export interface Session {
  command(command: Command): void;
  /** Resolves with the answer or the refusal; rejects never. */
  ask<K extends RequestKind>(
    what: K,
    ask: Requests[K]['ask'],
  ): Promise<Outcome<Requests[K]['answer']>>;
  close(): void;
}

export function createSession(port: EnginePort, { onEvent, crashed }: SessionListeners): Session {
  const waiting = new Map<number, (outcome: Outcome<never>) => void>();
  let requests = 0;
  let crash: Failure | undefined;

  function settle(id: number, outcome: Outcome<unknown>) {
    // The worker answers a request with what its kind promises: see Requests.
    waiting.get(id)?.(outcome as Outcome<never>);
    waiting.delete(id);
  }

  function fail(failure: Failure) {
    crash = failure;
    for (const id of waiting.keys()) settle(id, { ok: false, failure });
    crashed(failure);
  }

  port.listen(
    (message) => {
      if (message.kind === 'answer') settle(message.id, message.outcome);
      else onEvent(message);
    },
    (message) => fail({ kind: 'unexpected', message }),
  );

  return {
    command: (command) => port.send({ kind: 'command', command }),
    ask(what, ask) {
      if (crash) return Promise.resolve({ ok: false, failure: crash });
      const id = ++requests;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        // One kind and what it asks belong together, which a generic call cannot show.
        port.send({ kind: 'request', id, what, ask } as RequestMessage);
      });
    },
    close() {
      port.close();
      fail({ kind: 'unexpected', message: 'the lab was closed' });
    },
  };
}
