import type { DeviceDescription, Forecast, RunSettings, TrainingPlan } from '../../engine/index.ts';
import type { Failure } from './failure.ts';
import type { ParentFacts } from './protocol.ts';

/** A run as it was opened; nothing in it changes while it trains. */
export interface RunFacts {
  readonly device: DeviceDescription;
  readonly settings: RunSettings;
  /** The request, in which the recipe of `auto` may still be open. */
  readonly asked: RunSettings;
  /** When it is expected to know more than tokens and their pairs; null where nothing was measured. */
  readonly forecast: Forecast | null;
  readonly plan: TrainingPlan;
  readonly stepsPerEpoch: number;
  /** Null where the budget is one of minutes. */
  readonly totalSteps: number | null;
  /** Whether the family writes text. */
  readonly writes: boolean;
  /** Names of the layers of neurons, in order, such as `blocks.0.qkv`; none where they are not shown. */
  readonly layers: readonly string[];
  /** The characters that the observed neurons read: a window of the validation text. */
  readonly probe: readonly string[];
  /** Where it was made of another run by a remedy. */
  readonly parent?: ParentFacts;
}

/** A checkpoint that a run can go on from. */
export interface CheckpointFacts {
  readonly settings: RunSettings;
  readonly step: number;
  readonly parameters: number;
  /** The text it learned from. */
  readonly data: { readonly name: string; readonly sha256: string };
}

/**
 * Where the lab's run stands.
 *
 *   idle, loaded --open--> opening --opened--> ready --train, step--> training --stopped--> paused
 *                             |                                        ^     |                |
 *                             '--failed--> failed                      |     '--spent--> finished
 *                                                                      '-----train, step------'
 *
 * `failed` and `lost` are reached from every state with a run; both remember the step of the last
 * checkpoint, from which the run can be opened again. `load` leads to loaded, `reset` to idle, from
 * everywhere. A pause is asked for by the goal: it holds once the steps under way are done.
 */
export type RunState =
  | { readonly status: 'idle' }
  | { readonly status: 'loaded'; readonly checkpoint: CheckpointFacts }
  | { readonly status: 'opening'; readonly stage: OpeningStage }
  | {
      readonly status: 'ready' | 'paused' | 'finished';
      readonly run: RunFacts;
      readonly step: number;
    }
  | { readonly status: 'training'; readonly run: RunFacts; readonly goal: Goal }
  | {
      readonly status: 'failed' | 'lost';
      readonly failure: Failure;
      /** Null where there is no checkpoint yet. */
      readonly checkpointStep: number | null;
    };

/** Reading the data to its end, opening the device, compiling the programs. */
type OpeningStage = 'data' | 'device' | 'programs';
type Goal = 'budget' | 'step' | 'pause';

export type RunEvent =
  | { readonly type: 'open' }
  | { readonly type: 'reached'; readonly stage: OpeningStage }
  | { readonly type: 'opened'; readonly run: RunFacts; readonly step: number }
  | { readonly type: 'train' | 'step' }
  | { readonly type: 'pause' }
  | { readonly type: 'stopped' | 'spent'; readonly step: number }
  | { readonly type: 'loaded'; readonly checkpoint: CheckpointFacts }
  | {
      readonly type: 'failed' | 'lost';
      readonly failure: Failure;
      readonly checkpointStep: number | null;
    }
  | { readonly type: 'reset' };

export const IDLE: RunState = { status: 'idle' };

/** The state after an event; undefined where the event means nothing in this state. */
export function nextRun(state: RunState, event: RunEvent): RunState | undefined {
  switch (event.type) {
    case 'reset':
      return IDLE;
    case 'loaded':
      return { status: 'loaded', checkpoint: event.checkpoint };
    case 'failed':
    case 'lost':
      return end(state, event);
    case 'open':
    case 'reached':
    case 'opened':
      return whileOpening(state, event);
    case 'train':
    case 'step':
      return startTraining(state, event.type);
    default:
      return whileTraining(state, event);
  }
}

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** There is nothing to fail without a run. */
function end(state: RunState, event: EventOf<'failed' | 'lost'>): RunState | undefined {
  const { type: status, failure, checkpointStep } = event;
  return state.status === 'idle' ? undefined : { status, failure, checkpointStep };
}

function whileOpening(
  state: RunState,
  event: EventOf<'open'> | EventOf<'reached'> | EventOf<'opened'>,
): RunState | undefined {
  if (event.type === 'open') {
    // While a run opens or trains it cannot be opened anew.
    const isBusy = state.status === 'opening' || state.status === 'training';
    return isBusy ? undefined : { status: 'opening', stage: 'data' };
  }
  if (state.status !== 'opening') return undefined;
  return event.type === 'reached'
    ? { status: 'opening', stage: event.stage }
    : { status: 'ready', run: event.run, step: event.step };
}

function startTraining(state: RunState, type: 'train' | 'step'): RunState | undefined {
  if (!canTrain(state)) return undefined;
  return { status: 'training', run: state.run, goal: type === 'train' ? 'budget' : 'step' };
}

/** A pause that is asked for but does not hold yet can be taken back. */
function canTrain(state: RunState): state is Extract<RunState, { run: RunFacts }> {
  const isPausing = state.status === 'training' && state.goal === 'pause';
  return isPausing || state.status === 'ready' || state.status === 'paused';
}

function whileTraining(
  state: RunState,
  event: EventOf<'pause'> | EventOf<'stopped' | 'spent'>,
): RunState | undefined {
  if (state.status !== 'training') return undefined;
  if (event.type === 'pause') return { ...state, goal: 'pause' };
  const status = event.type === 'spent' ? 'finished' : 'paused';
  return { status, run: state.run, step: event.step };
}
