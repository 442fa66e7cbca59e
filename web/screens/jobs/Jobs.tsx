import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { CompareJobs } from './compare/CompareJobs.tsx';
import { type ChangeJobFields, comparedIds, FIELDS, type JobFields } from './job-fields.ts';
import { useJobsText } from './jobs-text.ts';
import { JobFilters } from './list/JobFilters.tsx';
import { JobResults } from './list/JobResults.tsx';
import { NewJobDialog } from './new-job/NewJobDialog.tsx';

/** The training jobs, or some of them beside each other where the address names them. */
export function Jobs() {
  const [fields, change] = useUrlState(FIELDS);
  const ids = comparedIds(fields.compare);
  return (
    <>
      {ids.length > 0 ? (
        <CompareJobs key={ids.join(',')} ids={ids} onChange={change} />
      ) : (
        <AllJobs fields={fields} onChange={change} />
      )}
      {fields.new !== '' && (
        <NewJobDialog values={fields.new} onClose={() => change({ new: '' })} />
      )}
    </>
  );
}

interface AllJobsProps {
  readonly fields: JobFields;
  readonly onChange: ChangeJobFields;
}

function AllJobs({ fields, onChange }: AllJobsProps) {
  const { t } = useJobsText();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const openForm = () => onChange({ new: '{}' });
  return (
    <Screen
      lead={t('jobs.lead')}
      width="wide"
      actions={
        <Button tone="primary" icon="add" onClick={openForm}>
          {t('jobs.new')}
        </Button>
      }
    >
      <Panel title={t('jobs.list')}>
        <JobFilters fields={fields} onChange={onChange} />
        <JobResults
          fields={fields}
          selected={selected}
          onSelect={setSelected}
          onChange={onChange}
          onNew={openForm}
        />
      </Panel>
    </Screen>
  );
}
