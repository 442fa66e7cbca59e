import type { Floor, TrainingPlan, RunSettings } from '../../engine/index.ts';
import type { Failure } from './failure.ts';
import type { LabEvent, ProgressFacts, DataState, ValidationFacts } from './protocol.ts';
import { IDLE, type RunState } from './run-machine.ts';

type PlanState =
  | { readonly status: 'unknown' }
  | { readonly status: 'known'; readonly plan: TrainingPlan }
  | { readonly status: 'refused'; readonly failure: Failure };

export type GenerationState =
  | { readonly status: 'idle' }
  | { readonly status: 'writing'; readonly prompt: string; readonly text: string }
  | {
      readonly status: 'done';
      readonly prompt: string;
      readonly text: string;
      readonly tokens: number;
      readonly seconds: number;
    }
  | {
      readonly status: 'failed';
      readonly prompt: string;
      readonly text: string;
      readonly failure: Failure;
    };

/** Bytes of an upload on its way. */
interface UploadState {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** State of the lab. Values that change with every frame are in the buffers of LiveData. */
export interface LabState {
  readonly data: DataState;
  readonly run: RunState;
  readonly plan: PlanState;
  readonly progress: ProgressFacts | null;
  readonly validation: ValidationFacts | null;
  /** Of the run's validation data; none before they are computed. */
  readonly floors: readonly Floor[];
  readonly writing: GenerationState;
  readonly upload: UploadState | null;
  /** The step that was last saved to a file or the registry; 0 for none. */
  readonly savedStep: number;
}

export const EMPTY_LAB: LabState = {
  data: { status: 'none' },
  run: IDLE,
  plan: { status: 'unknown' },
  progress: null,
  validation: null,
  floors: [],
  writing: { status: 'idle' },
  upload: null,
  savedStep: 0,
};

/** The part of the state that an event changes. */
export function changeOf(state: LabState, event: LabEvent): Partial<LabState> {
  switch (event.kind) {
    case 'data':
      return withData(event.data);
    case 'run':
      return withRun(event.run);
    case 'progress':
      return { progress: event.progress };
    case 'validated':
      return { validation: event.validation };
    case 'floors':
      return { floors: event.floors };
    case 'wrote':
      return state.writing.status === 'writing'
        ? { writing: { ...state.writing, text: state.writing.text + event.text } }
        : {};
    case 'uploaded':
      return { upload: { sentBytes: event.sentBytes, totalBytes: event.totalBytes } };
    case 'observed':
      return {};
  }
}

/** Without a run there is nothing to say about one. */
function withRun(run: RunState): Partial<LabState> {
  if (run.status === 'idle') {
    return { run, progress: null, validation: null, floors: [], savedStep: 0 };
  }
  return run.status === 'opening' ? { run, floors: [] } : { run };
}

/** Sets the data. The plan depends on it, and is unknown until data is open. */
function withData(data: DataState): Partial<LabState> {
  return data.status === 'open' ? { data } : { data, plan: { status: 'unknown' } };
}

/** The settings that a run was asked for, or that its checkpoint had; null where there is neither. */
export function settingsOfRun(run: RunState): RunSettings | null {
  if ('run' in run) return run.run.asked;
  return run.status === 'loaded' ? run.checkpoint.settings : null;
}

/** The step a run can be opened from again; null where there is no checkpoint to go on from. */
export function checkpointStepOf(run: RunState): number | null {
  switch (run.status) {
    case 'loaded':
      return run.checkpoint.step;
    case 'failed':
    case 'lost':
      return run.checkpointStep;
    case 'ready':
    case 'paused':
    case 'finished':
      return run.step;
    default:
      return null;
  }
}
