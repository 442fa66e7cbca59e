import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RegistrationChoice, RunSettings } from '../../engine/index.ts';
import type { Outcome } from './failure.ts';
import {
  changeOf,
  checkpointStepOf,
  EMPTY_LAB,
  type LabState,
  settingsOfRun,
} from './lab-state.ts';
import { createLiveData, type LiveData } from './live-data.ts';
import { createObservation, type Observation } from './observation.ts';
import type {
  DataChoice,
  DiagnosisFacts,
  GenerationRequest,
  LabEvent,
  OpenCommand,
  ParentFacts,
  Requests,
} from './protocol.ts';
import type { CheckpointFacts } from './run-machine.ts';
import { createSession, type EnginePort, type Session } from './session.ts';

/** Options for opening a run. */
export type RunRequest = Pick<OpenCommand, 'settings' | 'device' | 'validateEvery'>;

/** The lab of a page: what it knows, what it draws from, and what can be done. */
export interface Lab {
  readonly store: StoreApi<LabState>;
  readonly live: LiveData;
  readonly observation: Observation;
  /** @param settings say which family reads the data, and how */
  chooseData(choice: DataChoice, settings: RunSettings): void;
  closeData(): void;
  /** Asks what a run with these settings would need. */
  plan(settings: RunSettings): void;
  diagnose(): Promise<Outcome<DiagnosisFacts | null>>;
  /** Trains a new run from the weights of the one that there is, or from new ones; names the one it was made of. */
  trainAnew(request: RunRequest, from: 'weights' | 'start', parent: ParentFacts): void;
  /** Trains on, or takes one step; opens the run first where there is none with these settings. */
  train(request: RunRequest, goal: 'train' | 'step'): void;
  pause(): void;
  /** Forgets the run, its checkpoint and its curves. */
  reset(): void;
  write(request: GenerationRequest): void;
  stopGeneration(): void;
  save(): Promise<Outcome<Requests['save']['answer']>>;
  load(files: readonly File[]): Promise<Outcome<CheckpointFacts>>;
  register(choice: RegistrationChoice): Promise<Outcome<Requests['register']['answer']>>;
  close(): void;
}

/** @param port the engine's worker, or what stands in for it */
export function createLab(port: EnginePort): Lab {
  const store = createStore<LabState>(() => EMPTY_LAB);
  const live = createLiveData();
  const session = createSession(port, {
    onEvent: (event) => take(event),
    crashed: (failure) =>
      store.setState({ run: { status: 'failed', failure, checkpointStep: null } }),
  });
  const observation = createObservation(session, live);

  function take(event: LabEvent) {
    if (event.kind === 'run') observation.follow(event.run);
    if (event.kind === 'observed' && !observation.accepts(event.observation)) return;
    live.take(event);
    if (event.kind === 'observed') observation.seen();
    store.setState(changeOf(store.getState(), event));
  }

  return {
    store,
    live,
    observation,
    chooseData: (choice, settings) => session.command({ kind: 'open-data', choice, settings }),
    closeData: () => session.command({ kind: 'close-data' }),
    ...runActions(store, live, session),
    ...generationActions(store, session),
    ...checkpointActions(store, live, session),
    close: () => session.close(),
  };
}

function runActions(store: StoreApi<LabState>, live: LiveData, session: Session) {
  let plans = 0;
  return {
    async plan(settings: RunSettings) {
      const mine = ++plans;
      const outcome = await session.ask('plan', settings);
      if (mine !== plans) return;
      store.setState({
        plan: outcome.ok
          ? { status: 'known', plan: outcome.value }
          : { status: 'refused', failure: outcome.failure },
      });
    },
    train(request: RunRequest, goal: 'train' | 'step') {
      const { run } = store.getState();
      const isOpen = run.status === 'ready' || run.status === 'paused' || run.status === 'training';
      if (isOpen && isSame(settingsOfRun(run), request.settings)) {
        session.command({ kind: goal });
        return;
      }
      const step = checkpointStepOf(run);
      if (step === null) live.clear();
      else live.goBack(step);
      const from = step === null ? 'start' : 'checkpoint';
      session.command({ kind: 'open', ...request, from, next: goal });
    },
    diagnose: () => session.ask('diagnose', null),
    trainAnew(request: RunRequest, from: 'weights' | 'start', parent: ParentFacts) {
      live.clear();
      store.setState({ progress: null, validation: null });
      session.command({ kind: 'open', ...request, from, parent, next: 'train' });
    },
    pause: () => session.command({ kind: 'pause' }),
    reset() {
      live.clear();
      session.command({ kind: 'reset' });
    },
  };
}

function generationActions(store: StoreApi<LabState>, session: Session) {
  return {
    async write(request: GenerationRequest) {
      const { prompt } = request;
      store.setState({ writing: { status: 'writing', prompt, text: '' } });
      const outcome = await session.ask('write', request);
      const { writing } = store.getState();
      const text = writing.status === 'writing' ? writing.text : '';
      store.setState({
        writing: outcome.ok
          ? { status: 'done', prompt, text, ...outcome.value }
          : { status: 'failed', prompt, text, failure: outcome.failure },
      });
    },
    stopGeneration: () => session.command({ kind: 'stop-writing' }),
  };
}

function checkpointActions(store: StoreApi<LabState>, live: LiveData, session: Session) {
  const stepNow = () => store.getState().progress?.step ?? 0;
  return {
    async save() {
      const savedStep = stepNow();
      const outcome = await session.ask('save', null);
      if (outcome.ok) store.setState({ savedStep });
      return outcome;
    },
    async load(files: readonly File[]) {
      const outcome = await session.ask('load', files);
      if (outcome.ok) {
        live.clear();
        store.setState({ progress: null, validation: null, savedStep: outcome.value.step });
      }
      return outcome;
    },
    async register(choice: RegistrationChoice) {
      const savedStep = stepNow();
      store.setState({ upload: { sentBytes: 0, totalBytes: 0 } });
      const outcome = await session.ask('register', choice);
      store.setState(outcome.ok ? { upload: null, savedStep } : { upload: null });
      return outcome;
    },
  };
}

function isSame(a: RunSettings | null, b: RunSettings): boolean {
  return JSON.stringify(entriesOf(a)) === JSON.stringify(entriesOf(b));
}

/** In one order: settings that came out of a file may hold their fields in another. */
function entriesOf(settings: RunSettings | null): unknown {
  if (!settings) return null;
  // Why a value was chosen changes nothing about it.
  const { budget, fields, chosen: _, ...rest } = settings;
  return [...inOrder(rest), ...inOrder(fields), budget];
}

function inOrder(values: object): [string, unknown][] {
  return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
