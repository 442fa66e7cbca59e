import { startWorker } from '../workers/start-worker.ts';
import type { EvaluationPort } from './evaluation.ts';
import type { EvaluationEvent } from './protocol.ts';

/** Starts the evaluation in a worker of its own. */
export function startEvaluation(): EvaluationPort {
  const worker = startWorker('evaluation');
  return {
    send: (command) => worker.postMessage(command, []),
    listen(heard, crashed) {
      worker.addEventListener('message', ({ data }: MessageEvent<EvaluationEvent>) => heard(data));
      worker.addEventListener('error', ({ message }) =>
        crashed(message || 'the worker of the evaluation could not be started'),
      );
    },
  };
}
