import { createStore } from 'zustand/vanilla';
import type {
  EvaluateAsk,
  EvaluationCommand,
  EvaluationEvent,
  EvaluationState,
} from './protocol.ts';
import type { KeptReport, ReportShelf } from './report-shelf.ts';

/** A way to the evaluation's worker. */
export interface EvaluationPort {
  send(command: EvaluationCommand): void;
  listen(heard: (event: EvaluationEvent) => void, crashed: (message: string) => void): void;
}

/** The page's side of the Evaluate screen: what it was told last. Reports go onto the shelf. */
export function createEvaluation(start: () => EvaluationPort, shelf: ReportShelf) {
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

export type PageEvaluation = ReturnType<typeof createEvaluation>;
