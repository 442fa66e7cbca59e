import { ProblemError } from '../../../edge/contract/problem-error.ts';
import type { EvaluationState } from '../../evaluation/protocol.ts';
import type { Failure } from '../../lab/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import css from './Evaluate.module.css';
import { useEvaluateText, type EvaluateText } from './evaluate-text.ts';
import { theEvaluation, useEvaluation } from './the-evaluation.ts';

export interface RunBarProps {
  /** Undefined while a model or data are missing. */
  readonly onStart: (() => void) | undefined;
}

/** Begins and ends an evaluation, and says how far it is. */
export function RunBar({ onStart }: RunBarProps) {
  const text = useEvaluateText();
  const { t } = text;
  const state = useEvaluation();
  const isBusy = state.status === 'opening' || state.status === 'running';
  return (
    <>
      <section className={css['bar']} aria-label={t('run.region')}>
        {/* One button for both, so that the focus stays where it is. */}
        <Button
          tone="primary"
          icon={isBusy ? 'stop' : 'play'}
          state={isBusy || onStart ? 'ready' : 'blocked'}
          onClick={isBusy ? theEvaluation().stop : onStart}
        >
          {t(isBusy ? 'run.stop' : 'run.start')}
        </Button>
        <div className={css['progress']}>
          <output className={css['hint']}>{saidOf(state, text, onStart !== undefined)}</output>
          {state.status === 'running' && (
            <ProgressBar
              label={t('run.region')}
              fraction={state.progress.done / state.progress.total}
              valueText={saidOf(state, text, true)}
            />
          )}
        </div>
      </section>
      {state.status === 'failed' && <ErrorState error={errorOf(state.failure, text)} />}
    </>
  );
}

function saidOf(state: EvaluationState, { t, format }: EvaluateText, isComplete: boolean): string {
  if (state.status === 'opening') return t('run.opening');
  if (state.status !== 'running') return t(isComplete ? 'run.idle' : 'run.missing');
  const { done, total, seconds } = state.progress;
  return t('run.progress', {
    done: format.integer(done),
    total: format.integer(total),
    speed: seconds > 0 ? format.integer(done / seconds) : '–',
  });
}

function errorOf(failure: Failure, { t }: EvaluateText): Error {
  if (failure.kind === 'problem') return new ProblemError(failure.problem);
  if (failure.kind === 'network') return new TypeError(failure.message);
  return new Error(t('run.failed', { message: failure.message }));
}
