import { useEffect, useMemo, useRef, useState } from 'react';
import { ProblemError } from '../../../edge/contract/problem-error.ts';
import type { EvaluationState, ModelChoice } from '../../evaluation/protocol.ts';
import type { Failure } from '../../lab/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { nameOfFiles, type PlacedFile } from '../../ui/dropped-files.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Note, Stack } from '../../ui/Layout.tsx';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { choiceOf, FIELDS, shownIds, withoutShown, withShown } from './evaluate-fields.ts';
import css from './Evaluate.module.css';
import { pageEvaluation, useEvaluation, useNewest, useReports } from './evaluation-store.ts';
import { ShelfPanel } from './reports/ShelfPanel.tsx';
import { shownReports } from './reports/shown-report.ts';
import { DataPanel } from './setup/DataPanel.tsx';
import { ModelPanel } from './setup/ModelPanel.tsx';
import { Pictures } from './views/ReportViews.tsx';
import { type EvaluateText, useEvaluateText } from './words/en-evaluate.ts';

const NO_FILES: readonly PlacedFile[] = [];

/** Evaluates models on data in this tab and compares reports side by side. */
export function Evaluate() {
  const text = useEvaluateText();
  const { t } = text;
  const [fields, change] = useUrlState(FIELDS);
  const [modelFiles, setModelFiles] = useState(NO_FILES);
  const [dataFiles, setDataFiles] = useState(NO_FILES);
  const ids = shownIds(fields);
  const show = (more: readonly string[]) => change({ shown: withShown(ids, more) });
  useShowNewest(show);
  const stored = useReports();
  const reports = useMemo(
    () => shownReports(stored, shownIds({ shown: fields.shown }), text),
    [stored, fields.shown, text],
  );
  const model = modelOf(fields.model, modelFiles);
  const start = () => {
    if (!model) return;
    const choice = choiceOf(fields);
    pageEvaluation().evaluate({ model, data: dataFiles, choice, device: fields.device });
  };
  return (
    <Screen lead={t('evaluate.lead')} width="wide">
      <div className={css['evaluate']}>
        <div className={css['setup']}>
          <ModelPanel
            model={fields.model}
            files={modelFiles}
            onModel={(chosen) => change({ model: chosen })}
            onFiles={setModelFiles}
          />
          <DataPanel fields={fields} files={dataFiles} onChange={change} onFiles={setDataFiles} />
          <ShelfPanel
            shown={ids}
            onShow={show}
            onHide={(id) => change({ shown: withoutShown(ids, id) })}
          />
        </div>
        <Stack>
          <RunBar onStart={model && dataFiles.length > 0 ? start : undefined} />
          {reports.length > 0 ? (
            <Pictures reports={reports} />
          ) : (
            <div className={css['card']}>
              <EmptyState icon="evaluate" title={t('empty.title')}>
                {t('empty.body')}
              </EmptyState>
            </div>
          )}
        </Stack>
      </div>
    </Screen>
  );
}

/** Shows the report of an evaluation as soon as it is complete. */
function useShowNewest(show: (ids: readonly string[]) => void): void {
  const newest = useNewest();
  const seen = useRef(newest);
  useEffect(() => {
    if (newest === null || newest === seen.current) return;
    seen.current = newest;
    show([newest]);
  }, [newest, show]);
}

function modelOf(model: string, files: readonly PlacedFile[]): ModelChoice | undefined {
  if (files.length > 0) return { kind: 'files', name: nameOfFiles(files), files };
  const [modelId = '', version = ''] = model.split('@');
  return version === '' ? undefined : { kind: 'registered', modelId, version };
}

interface RunBarProps {
  /** Undefined while a model or data are missing. */
  readonly onStart: (() => void) | undefined;
}

/** Starts and stops an evaluation and shows its progress. */
function RunBar({ onStart }: RunBarProps) {
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
          onClick={isBusy ? pageEvaluation().stop : onStart}
        >
          {t(isBusy ? 'run.stop' : 'run.start')}
        </Button>
        <Stack gap={1} style={{ flex: '1 1 12rem' }}>
          <Note as="output">{saidOf(state, text, onStart !== undefined)}</Note>
          {state.status === 'running' && (
            <ProgressBar
              label={t('run.region')}
              fraction={state.progress.done / state.progress.total}
              valueText={saidOf(state, text, true)}
            />
          )}
        </Stack>
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
