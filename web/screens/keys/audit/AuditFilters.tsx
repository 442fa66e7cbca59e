import { Field } from '../../../ui/Field.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useKeysText } from '../words/en-keys.ts';
import { ACTIONS, type Filters, localOf, utcOf } from './audit-search.ts';
import { Grid } from '../../../ui/Layout.tsx';

interface AuditFiltersProps {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}

/** Filters for audit entries. The list updates while typing, so there is no submit button. */
export function AuditFilters({ filters, onChange }: AuditFiltersProps) {
  const { t } = useKeysText();
  return (
    <Grid as="search" min="12rem" columns="fill" gap={[3, 4]} aria-label={t('audit.filters')}>
      <SelectField
        label={t('audit.action')}
        value={filters.action}
        options={ACTIONS.map((value) => ({
          value,
          label: value === '' ? t('audit.any') : t(`action.${value}`),
        }))}
        onChange={(action) => onChange({ action })}
      />
      <TextField
        label={t('audit.actor')}
        hint={t('audit.actorHint')}
        type="search"
        value={filters.actor}
        maxLength={256}
        onChange={(actor) => onChange({ actor })}
      />
      <TextField
        label={t('audit.target')}
        hint={t('audit.targetHint')}
        type="search"
        value={filters.target}
        maxLength={256}
        onChange={(target) => onChange({ target })}
      />
      <Moment label={t('audit.from')} utc={filters.from} onChange={(from) => onChange({ from })} />
      <Moment label={t('audit.to')} utc={filters.to} onChange={(to) => onChange({ to })} />
    </Grid>
  );
}

interface MomentProps {
  readonly label: string;
  readonly utc: string;
  readonly onChange: (utc: string) => void;
}

function Moment({ label, utc, onChange }: MomentProps) {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          value={localOf(utc)}
          onChange={(event) => onChange(utcOf(event.target.value))}
        />
      )}
    </Field>
  );
}
