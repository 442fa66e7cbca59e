import { lazy, Suspense, useCallback } from 'react';
import { ErrorBoundary } from '../../../ui/ErrorBoundary.tsx';
import { layerWords } from '../../../widgets/spike-raster/layer-words.ts';
import { useLabForm } from '../fields-context.ts';
import { settingsFrom } from '../lab-fields.ts';
import { pageLab, useLab } from '../lab-store.ts';
import { useLabText } from '../lab-text.ts';
import { useRunRequest } from '../run/use-run.ts';
import css from '../views/Views.module.css';
import type { StartRemedy } from './FindingView.tsx';
import { useDiagnosis } from './use-diagnosis.ts';

// Nobody needs it before there is a run.
const DiagnosisPanel = lazy(async () => ({
  default: (await import('./DiagnosisPanel.tsx')).DiagnosisPanel,
}));

/** The diagnosis, once there is a run. */
export function DiagnosisView() {
  const isBegun = useLab(({ run }) => run.status !== 'idle' && run.status !== 'loaded');
  return isBegun ? <Begun /> : null;
}

function Begun() {
  const text = useLabText();
  const [diagnosed, ask] = useDiagnosis();
  const parent = useLab(({ run }) => ('run' in run ? run.run.parent : undefined));
  const start = useStart();
  return (
    <ErrorBoundary fallback={() => null}>
      <Suspense fallback={null}>
        <div className={css['wide']}>
          <DiagnosisPanel
            {...{ diagnosed, ask, parent, start }}
            nameOf={(layer) => layerWords(text, layer)}
          />
        </div>
      </Suspense>
    </ErrorBoundary>
  );
}

/** The form gets the rate of the remedy, and the run before keeps its values. */
function useStart(): StartRemedy {
  const { fields, model, changeModel } = useLabForm();
  const request = useRunRequest();
  return useCallback(
    ({ rate, from, step }) => {
      const { learningRate } = request.settings;
      changeModel({ learning_rate: rate });
      const settings = settingsFrom(fields, { ...model, learning_rate: rate });
      const begin = from === 'checkpoint' ? 'weights' : 'start';
      pageLab().trainAnew({ ...request, settings }, begin, { step, learningRate });
    },
    [fields, model, changeModel, request],
  );
}
