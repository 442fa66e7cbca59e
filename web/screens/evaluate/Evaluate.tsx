import { useEffect, useMemo, useRef, useState } from 'react';
import type { ModelChoice } from '../../evaluation/protocol.ts';
import { nameOfFiles, type PlacedFile } from '../../ui/dropped-files.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { choiceOf, FIELDS, shownIds, withoutShown, withShown } from './evaluate-fields.ts';
import css from './Evaluate.module.css';
import { useEvaluateText } from './evaluate-text.ts';
import { shownReports } from './reports/shown-report.ts';
import { ShelfPanel } from './reports/ShelfPanel.tsx';
import { RunBar } from './RunBar.tsx';
import { DataPanel } from './setup/DataPanel.tsx';
import { ModelPanel } from './setup/ModelPanel.tsx';
import { theEvaluation, useNewest, useReports } from './the-evaluation.ts';
import { Pictures } from './views/Pictures.tsx';

const NO_FILES: readonly PlacedFile[] = [];

/** Judges models by data in this tab, and compares reports of evaluations side by side. */
export function Evaluate() {
  const text = useEvaluateText();
  const { t } = text;
  const [fields, change] = useUrlState(FIELDS);
  const [modelFiles, setModelFiles] = useState(NO_FILES);
  const [dataFiles, setDataFiles] = useState(NO_FILES);
  const ids = shownIds(fields);
  const show = (more: readonly string[]) => change({ shown: withShown(ids, more) });
  useShowNewest(show);
  const kept = useReports();
  const reports = useMemo(
    () => shownReports(kept, shownIds({ shown: fields.shown }), text),
    [kept, fields.shown, text],
  );
  const model = modelOf(fields.model, modelFiles);
  const start = () => {
    if (!model) return;
    const choice = choiceOf(fields);
    theEvaluation().evaluate({ model, data: dataFiles, choice, device: fields.device });
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
        <div className={css['views']}>
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
        </div>
      </div>
    </Screen>
  );
}

/** The report of an evaluation is looked at as soon as it is there. */
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
