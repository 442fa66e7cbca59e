import { useState } from 'react';
import { optionsOf } from '../../records/options.ts';
import { Button } from '../../ui/Button.tsx';
import { Grid } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { CompareJobs } from './CompareJobs.tsx';
import {
  type ChangeJobFields,
  comparedIds,
  FIELDS,
  type JobFields,
  KINDS,
  STATUSES,
} from './job-fields.ts';
import { JobResults } from './list/JobResults.tsx';
import { NewJobDialog } from './new-job/NewJobDialog.tsx';
import { useJobsText } from './words/en-jobs.ts';

/** The training jobs, or the comparison of those that the address names. */
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

interface JobFiltersProps {
  readonly fields: JobFields;
  readonly onChange: ChangeJobFields;
}

const TEXT_FILTERS = [
  ['model', 128],
  ['trainer', 64],
] as const;

/** Filters that apply while typing. */
function JobFilters({ fields, onChange }: JobFiltersProps) {
  const { t } = useJobsText();
  return (
    <Grid as="search" min="11rem" gap={[3, 4]} aria-label={t('filter.all')}>
      <SelectField
        label={t('jobs.status')}
        options={optionsOf(STATUSES, (value) => t(value === '' ? 'filter.any' : `status.${value}`))}
        value={fields.status}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label={t('filter.kind')}
        options={optionsOf(KINDS, (value) => t(value === '' ? 'filter.any' : `kind.${value}`))}
        value={fields.kind}
        onChange={(kind) => onChange({ kind })}
      />
      {TEXT_FILTERS.map(([name, maxLength]) => (
        <TextField
          key={name}
          label={t(`filter.${name}`)}
          hint={t(`filter.${name}Hint`)}
          type="search"
          value={fields[name]}
          maxLength={maxLength}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
    </Grid>
  );
}
