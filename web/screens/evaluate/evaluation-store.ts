import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type {
  EvaluationRequest,
  EvaluationCommand,
  EvaluationEvent,
  EvaluationState,
} from '../../evaluation/protocol.ts';
import {
  createReportShelf,
  type StoredReport,
  type ReportShelf,
} from '../../evaluation/report-shelf.ts';
import { startWorker } from '../../workers/start-worker.ts';

/** The message port of the evaluation worker. */
interface EvaluationPort {
  send(command: EvaluationCommand): void;
  listen(onEvent: (event: EvaluationEvent) => void, onCrash: (message: string) => void): void;
}

/** The page's side of an evaluation: its latest state. Reports are stored on the shelf. */
function createEvaluation(start: () => EvaluationPort, shelf: ReportShelf) {
  const store = createStore<{ readonly state: EvaluationState; readonly newest: string | null }>(
    () => ({ state: { status: 'idle' }, newest: null }),
  );
  let port: EvaluationPort | undefined;

  function add(report: StoredReport['report']) {
    store.setState({ newest: shelf.add(report) });
  }

  function onEvent(event: EvaluationEvent) {
    if (event.kind === 'report') add(event.report);
    else store.setState({ state: event.state });
  }

  function onCrash(message: string) {
    // The next evaluation starts another worker.
    port = undefined;
    store.setState({ state: { status: 'failed', failure: { kind: 'unexpected', message } } });
  }

  function open(): EvaluationPort {
    if (port) return port;
    const started = start();
    started.listen(onEvent, onCrash);
    port = started;
    return started;
  }

  return {
    store,
    evaluate(request: EvaluationRequest) {
      store.setState({ state: { status: 'opening' } });
      open().send({ kind: 'evaluate', request });
    },
    stop: () => port?.send({ kind: 'stop' }),
  };
}

type PageEvaluation = ReturnType<typeof createEvaluation>;

let shelf: ReportShelf | undefined;
let evaluation: PageEvaluation | undefined;

/** The reports stored in this browser. */
export function reportShelf(): ReportShelf {
  shelf ??= createReportShelf({
    // A browser that blocks storage throws as soon as it is named.
    getItem: (key) => localStorage.getItem(key),
    setItem: (key, value) => localStorage.setItem(key, value),
  });
  return shelf;
}

/** The evaluation of this page. Its worker starts with the first one and survives a change of screen. */
export function pageEvaluation(): PageEvaluation {
  evaluation ??= createEvaluation(startEvaluation, reportShelf());
  return evaluation;
}

export function useEvaluation(): EvaluationState {
  return useStore(pageEvaluation().store, ({ state }) => state);
}

/** The id of the latest report made on this page. */
export function useNewest(): string | null {
  return useStore(pageEvaluation().store, ({ newest }) => newest);
}

export function useReports(): readonly StoredReport[] {
  return useStore(reportShelf().store, ({ reports }) => reports);
}

/** Starts the evaluation worker. */
function startEvaluation(): EvaluationPort {
  const worker = startWorker('evaluation');
  return {
    send: (command) => worker.postMessage(command, []),
    listen(onEvent, onCrash) {
      worker.addEventListener('message', ({ data }: MessageEvent<EvaluationEvent>) =>
        onEvent(data),
      );
      worker.addEventListener('error', ({ message }) =>
        onCrash(message || 'the worker of the evaluation could not be started'),
      );
    },
  };
}
