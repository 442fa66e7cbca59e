import { useMemo } from 'react';
import { familyDescriptions } from '../../../engine/index.ts';
import { Screen } from '../../ui/Screen.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { LabFormContext } from './fields-context.ts';
import { FileActions } from './files/FileActions.tsx';
import css from './Lab.module.css';
import { FIELDS } from './lab-fields.ts';
import { MODEL_FIELDS } from '../../model-form/model-values.ts';
import { DeviceNotice } from './notices/DeviceNotice.tsx';
import { RunNotice } from './notices/RunNotice.tsx';
import { ControlBar } from './run/ControlBar.tsx';
import { DataPanel } from './setup/DataPanel.tsx';
import { SettingsPanel } from './setup/SettingsPanel.tsx';
import { useLeaving, useVisibility } from './use-leaving.ts';
import { ActivityView } from './views/ActivityView.tsx';
import { LossView } from './views/LossView.tsx';
import { MembranesView } from './views/MembranesView.tsx';
import { SpikesView } from './views/SpikesView.tsx';
import { WritingView } from './writing/WritingView.tsx';

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
            {category === 'LangText' && <WritingView />}
            {isObserved && (
              <>
                <SpikesView />
                <MembranesView />
              </>
            )}
            <ActivityView />
          </div>
        </div>
      </Screen>
    </LabFormContext>
  );
}
