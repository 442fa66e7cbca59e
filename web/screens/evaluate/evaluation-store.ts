import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type {
  EvaluateAsk,
  EvaluationCommand,
  EvaluationEvent,
  EvaluationState,
} from '../../evaluation/protocol.ts';
import {
  createReportShelf,
  type KeptReport,
  type ReportShelf,
} from '../../evaluation/report-shelf.ts';
import { startWorker } from '../../workers/start-worker.ts';

/** A way to the evaluation's worker. */
interface EvaluationPort {
  send(command: EvaluationCommand): void;
  listen(heard: (event: EvaluationEvent) => void, crashed: (message: string) => void): void;
}

/** The page's side of the Evaluate screen: what it was told last. Reports go onto the shelf. */
function createEvaluation(start: () => EvaluationPort, shelf: ReportShelf) {
  const store = createStore<{ readonly state: EvaluationState; readonly newest: string | null }>(
    () => ({ state: { status: 'idle' }, newest: null }),
  );
  let port: EvaluationPort | undefined;

  function keep(report: KeptReport['report']) {
    store.setState({ newest: shelf.keep(report) });
  }

  function heard(event: EvaluationEvent) {
    if (event.kind === 'report') keep(event.report);
    else store.setState({ state: event.state });
  }

  function crashed(message: string) {
    // The next evaluation starts another worker.
    port = undefined;
    store.setState({ state: { status: 'failed', failure: { kind: 'unexpected', message } } });
  }

  function open(): EvaluationPort {
    if (port) return port;
    const started = start();
    started.listen(heard, crashed);
    port = started;
    return started;
  }

  return {
    store,
    evaluate(ask: EvaluateAsk) {
      store.setState({ state: { status: 'opening' } });
      open().send({ kind: 'evaluate', ask });
    },
    stop: () => port?.send({ kind: 'stop' }),
  };
}

type PageEvaluation = ReturnType<typeof createEvaluation>;

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
