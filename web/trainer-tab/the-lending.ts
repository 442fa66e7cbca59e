import { useStore } from 'zustand';
import { pathOf } from '../../edge/contract/client.ts';
import { trainerEndpoints } from '../../edge/training/trainer-endpoints.ts';
import { trainingServices } from '../api/training-address.ts';
import { startWorker } from '../workers/start-worker.ts';
import { createLending, type Lending, type LendingState, type StationPort } from './lending.ts';
import type { FromStation } from './protocol.ts';

let lending: Lending | undefined;

/** The lending of this page, alive as long as the page: it goes on while one looks at other screens. */
export function theLending(): Lending {
  lending ??= createLending({ open: startStation, sayGone, events: window });
  return lending;
}

export function useLending(): LendingState {
  return useStore(theLending().store);
}

function startStation(): StationPort {
  const worker = startWorker('station');
  const send: StationPort['send'] = (message) => worker.postMessage(message, []);
  send({ kind: 'start', services: trainingServices() });
  return {
    send,
    listen(heard, crashed) {
      worker.addEventListener('message', ({ data }: MessageEvent<FromStation>) => heard(data));
      worker.addEventListener('error', ({ message }) =>
        crashed(message || 'the worker that lends the tab could not be started'),
      );
    },
    close: () => worker.terminate(),
  };
}

/** A request that outlives its page. */
function sayGone(id: string): void {
  const { base, headers } = trainingServices().training;
  const { method, path } = trainerEndpoints.removeTrainer;
  void fetch(base + pathOf(path, { id }), { method, headers, keepalive: true }).catch(
    () => undefined,
  );
}
