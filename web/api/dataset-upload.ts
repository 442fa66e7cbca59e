import { createStore, type StoreApi } from 'zustand/vanilla';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import type { ProblemDocument } from '../../edge/contract/problem.ts';
import type { ServiceAddress } from '../../trainer/job-messages.ts';
import { startWorker } from '../workers/start-worker.ts';
import { trainingServices } from './training-address.ts';

export interface ToUpload {
  readonly address: ServiceAddress;
  readonly name: string;
  readonly file: File;
}

export type FromUpload =
  | { readonly kind: 'progress'; readonly sent: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly problem: ProblemDocument }
  | { readonly kind: 'failed'; readonly message: string };

type DatasetUploadState =
  /** Read through first: what is sent is named by its digest. */
  | { readonly status: 'sending'; readonly sent: number }
  | { readonly status: 'paused'; readonly sent: number }
  | { readonly status: 'done' }
  | { readonly status: 'failed'; readonly sent: number; readonly error: unknown };

/** A file on its way to become a dataset of the platform. */
export interface DatasetUpload {
  readonly name: string;
  readonly file: File;
  readonly store: StoreApi<DatasetUploadState>;
  pause(): void;
  /** Goes on with what is not there yet. */
  resume(): void;
  cancel(): void;
}

export function startDatasetUpload(name: string, file: File): DatasetUpload {
  const store = createStore<DatasetUploadState>(() => ({ status: 'sending', sent: 0 }));
  const sent = () => {
    const state = store.getState();
    return state.status === 'done' ? file.size : state.sent;
  };
  let worker: Worker | undefined;

  function run() {
    store.setState({ status: 'sending', sent: sent() }, true);
    worker = startWorker('upload');
    worker.addEventListener('message', ({ data }: MessageEvent<FromUpload>) => receive(data));
    worker.addEventListener('error', ({ message }) => end(new Error(message)));
    const { training: address } = trainingServices();
    worker.postMessage({ address, name, file } satisfies ToUpload, []);
  }

  function receive(message: FromUpload) {
    if (message.kind === 'progress') {
      store.setState({ status: 'sending', sent: message.sent }, true);
    } else if (message.kind === 'done') {
      stop();
      store.setState({ status: 'done' }, true);
    } else {
      end(
        message.kind === 'refused'
          ? new ProblemError(message.problem)
          : new TypeError(message.message),
      );
    }
  }

  function end(error: unknown) {
    stop();
    store.setState({ status: 'failed', sent: sent(), error }, true);
  }

  function stop() {
    worker?.terminate();
    worker = undefined;
  }

  run();
  return {
    name,
    file,
    store,
    pause() {
      stop();
      store.setState({ status: 'paused', sent: sent() }, true);
    },
    resume: run,
    cancel: stop,
  };
}
