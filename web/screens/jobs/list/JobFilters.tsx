import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { type ChangeJobFields, type JobFields, KINDS, STATUSES } from '../job-fields.ts';
import css from '../Jobs.module.css';
import { useJobsText } from '../jobs-text.ts';

export interface JobFiltersProps {
  readonly fields: JobFields;
  readonly onChange: ChangeJobFields;
}

/** What to find jobs by. The list follows while one types. */
export function JobFilters({ fields, onChange }: JobFiltersProps) {
  const { t } = useJobsText();
  return (
    <search className={css['filters']} aria-label={t('filter.all')}>
      <SelectField
        label={t('jobs.status')}
        options={STATUSES.map((value) => ({
          value,
          label: t(value === '' ? 'filter.any' : `status.${value}`),
        }))}
        value={fields.status}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label={t('filter.kind')}
        options={KINDS.map((value) => ({
          value,
          label: t(value === '' ? 'filter.any' : `kind.${value}`),
        }))}
        value={fields.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <TextField
        label={t('filter.model')}
        hint={t('filter.modelHint')}
        type="search"
        value={fields.model}
        maxLength={128}
        onChange={(model) => onChange({ model })}
      />
      <TextField
        label={t('filter.trainer')}
        hint={t('filter.trainerHint')}
        type="search"
        value={fields.trainer}
        maxLength={64}
        onChange={(trainer) => onChange({ trainer })}
      />
    </search>
  );
}
