import { useStore } from 'zustand';
import {
  createEvaluation,
  type EvaluationPort,
  type PageEvaluation,
} from '../../evaluation/evaluation.ts';
import type { EvaluationEvent, EvaluationState } from '../../evaluation/protocol.ts';
import {
  createReportShelf,
  type KeptReport,
  type ReportShelf,
} from '../../evaluation/report-shelf.ts';
import { startWorker } from '../../workers/start-worker.ts';

let shelf: ReportShelf | undefined;
let evaluation: PageEvaluation | undefined;

/** The reports that this browser keeps. */
export function theShelf(): ReportShelf {
  shelf ??= createReportShelf({
    // A browser that blocks storage throws as soon as it is named.
    getItem: (key) => localStorage.getItem(key),
    setItem: (key, value) => localStorage.setItem(key, value),
  });
  return shelf;
}

/** The evaluation of this page: its worker starts with the first one. It goes on when the screen is left. */
export function theEvaluation(): PageEvaluation {
  evaluation ??= createEvaluation(startEvaluation, theShelf());
  return evaluation;
}

export function useEvaluation(): EvaluationState {
  return useStore(theEvaluation().store, ({ state }) => state);
}

/** The report of the evaluation that ended last on this page. */
export function useNewest(): string | null {
  return useStore(theEvaluation().store, ({ newest }) => newest);
}

export function useReports(): readonly KeptReport[] {
  return useStore(theShelf().store, ({ reports }) => reports);
}

/** Starts the evaluation in a worker of its own. */
function startEvaluation(): EvaluationPort {
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
