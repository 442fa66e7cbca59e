import { useCallback, useMemo } from 'react';
import type { RunSettings } from '../../../../engine/index.ts';
import type { RunRequest } from '../../../lab/lab.ts';
import type { LabState } from '../../../lab/lab-state.ts';
import type { RunState } from '../../../lab/run-machine.ts';
import { useLabForm } from '../fields-context.ts';
import { settingsFrom } from '../lab-fields.ts';
import { pageLab, useLab } from '../lab-store.ts';

/** The run that the form describes. */
export function useRunRequest(): RunRequest {
  const { fields, model } = useLabForm();
  return useMemo(
    () => ({
      settings: settingsFrom(fields, model),
      device: fields.device,
      validateEvery: fields.check_every,
    }),
    [fields, model],
  );
}

/** Available controls of the run. */
export interface RunControls {
  readonly status: RunState['status'];
  readonly canTrain: boolean;
  readonly canPause: boolean;
  readonly canReset: boolean;
  train(): void;
  /** Trains a run whose budget is spent for as long again. */
  proceed(): void;
  step(): void;
  pause(): void;
}

export function useRunControls(): RunControls {
  const request = useRunRequest();
  const { fields, model, change } = useLabForm();
  const run = useLab(({ run: state }) => state);
  const canTrain = useLab((state) => mayTrain(state, request.settings));
  return {
    status: run.status,
    canTrain,
    canPause: run.status === 'training' && run.goal === 'budget',
    canReset: run.status !== 'idle',
    train: useCallback(() => pageLab().train(request, 'train'), [request]),
    proceed: useCallback(() => {
      const budget = 2 * fields.budget;
      change({ budget });
      const settings = settingsFrom({ ...fields, budget }, model);
      pageLab().train({ ...request, settings }, 'train');
    }, [request, fields, model, change]),
    step: useCallback(() => pageLab().train(request, 'step'), [request]),
    pause: useCallback(() => pageLab().pause(), []),
  };
}

/** Whether a step can be taken: there is data, the settings are possible, the budget is not spent. */
function mayTrain({ run, data, plan }: LabState, settings: RunSettings): boolean {
  switch (run.status) {
    case 'ready':
    case 'paused':
      return true;
    case 'opening':
    case 'training':
      return false;
    case 'finished':
      return JSON.stringify(run.run.settings.budget) !== JSON.stringify(settings.budget);
    case 'loaded':
      return data.status === 'open' && data.facts.digest === run.checkpoint.data.sha256;
    default:
      return data.status === 'open' && plan.status !== 'refused';
  }
}

/** Whether the fields that shape a model and its data belong to a run and cannot be changed. */
export function isShaped({ status }: RunState): boolean {
  return status !== 'idle';
}

/** Whether nothing at all can be changed: the run is under way. */
export function isUnderWay({ status }: RunState): boolean {
  return status === 'opening' || status === 'training';
}
