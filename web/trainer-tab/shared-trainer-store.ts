import { useStore } from 'zustand';
import { pathOf } from '../../edge/contract/client.ts';
import { trainerEndpoints } from '../../edge/training/trainer-endpoints.ts';
import { trainingServices } from '../api/training-address.ts';
import { startWorker } from '../workers/start-worker.ts';
import {
  createSharedTrainer,
  type SharedTrainer,
  type SharedTrainerState,
  type StationPort,
} from './shared-trainer.ts';
import type { FromStation } from './protocol.ts';

let sharedTrainer: SharedTrainer | undefined;

/** The shared trainer of this page, alive as long as the page: it keeps running while another screen is open. */
export function pageSharedTrainer(): SharedTrainer {
  sharedTrainer ??= createSharedTrainer({ open: startStation, sayGone, events: window });
  return sharedTrainer;
}

export function useSharedTrainer(): SharedTrainerState {
  return useStore(pageSharedTrainer().store);
}

function startStation(): StationPort {
  const worker = startWorker('station');
  const send: StationPort['send'] = (message) => worker.postMessage(message, []);
  send({ kind: 'start', services: trainingServices() });
  return {
    send,
    listen(onMessage, crashed) {
      worker.addEventListener('message', ({ data }: MessageEvent<FromStation>) => onMessage(data));
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
