import { familyDescriptions } from '../../../engine/index.ts';
import { MODEL_FIELDS } from '../../model-form/model-values.ts';
import { Screen } from '../../ui/Screen.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import css from './Lab.module.css';
import { LabFormContext } from './fields-context.ts';
import { FileActions } from './files/FileActions.tsx';
import { DiagnosisView } from './diagnosis/DiagnosisView.tsx';
import { FIELDS } from './lab-fields.ts';
import { DeviceNotice } from './notices/DeviceNotice.tsx';
import { RunNotice } from './notices/RunNotice.tsx';
import { ControlBar } from './run/ControlBar.tsx';
import { DataPanel } from './setup/DataPanel.tsx';
import { SettingsPanel } from './setup/SettingsPanel.tsx';
import { pageLab, useLab } from './lab-store.ts';
import { AccuracyView } from './views/AccuracyView.tsx';
import { ActivityView } from './views/ActivityView.tsx';
import { LossView } from './views/LossView.tsx';
import { MembranesView } from './views/MembranesView.tsx';
import { SpikesView } from './views/SpikesView.tsx';
import { GenerationView } from './generation/GenerationView.tsx';
import { useEffect, useMemo } from 'react';

/** Train a small model of any family in this tab, see it live, and let it write if it can. */
export function Lab() {
  const [fields, change] = useUrlState(FIELDS);
  const [model, changeModel] = useUrlState(MODEL_FIELDS);
  const form = useMemo(
    () => ({ fields, change, model, changeModel }),
    [fields, change, model, changeModel],
  );
  const { category, isObserved } = familyDescriptions[fields.architecture];
  useVisibility();
  useLeaving();
  return (
    <LabFormContext value={form}>
      <Screen width="wide" actions={<FileActions />}>
        <DeviceNotice />
        <RunNotice />
        <ControlBar />
        <div className={css['lab']}>
          <div className={css['setup']}>
            <DataPanel />
            <SettingsPanel />
          </div>
          <div className={css['views']}>
            <LossView />
            <AccuracyView />
            {category === 'LangText' && <GenerationView />}
            {isObserved && (
              <>
                <SpikesView />
                <MembranesView />
              </>
            )}
            <ActivityView />
            <DiagnosisView />
          </div>
        </div>
      </Screen>
    </LabFormContext>
  );
}

/** Computes pictures only while the page is seen; training goes on. */
function useVisibility(): void {
  useEffect(() => {
    const { observation } = pageLab();
    const follow = () => observation.setPage(document.visibilityState);
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      // Another screen is looked at: the lab's pictures are not.
      observation.setPage('hidden');
    };
  }, []);
}

/** Asks before the page is closed while training is under way or was not saved. */
function useLeaving(): void {
  const hasUnsaved = useLab(({ progress, savedStep }) => (progress?.step ?? 0) > savedStep);
  useEffect(() => {
    if (!hasUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasUnsaved]);
}
