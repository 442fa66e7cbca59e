import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import css from '../Alerts.module.css';
import { useAlertsText } from '../alerts-text.ts';
import { badMatcherOf } from '../matchers.ts';
import type { AlertListProps } from './AlertList.tsx';

const STATES = ['firing', 'pending', 'suppressed', 'resolved'] as const;
const SEVERITIES = ['critical', 'warning', 'info'] as const;

export function AlertFilters({ fields, onChange }: AlertListProps) {
  const { t } = useAlertsText();
  const bad = badMatcherOf(fields.labels);
  return (
    <search className={css['filters']} aria-label={t('list.filters')}>
      <SelectField
        label={t('list.state')}
        options={[
          { value: 'now', label: t('list.now') },
          ...STATES.map((value) => ({ value, label: t(`state.${value}`) })),
          { value: 'all', label: t('list.all') },
        ]}
        value={fields.state}
        onChange={(state) => onChange({ state })}
      />
      <SelectField
        label={t('list.severity')}
        options={[
          { value: 'any', label: t('list.all') },
          ...SEVERITIES.map((value) => ({ value, label: t(`severity.${value}`) })),
        ]}
        value={fields.severity}
        onChange={(severity) => onChange({ severity })}
      />
      <TextField
        label={t('list.service')}
        type="search"
        value={fields.service}
        maxLength={128}
        onChange={(service) => onChange({ service })}
      />
      <TextField
        label={t('list.labels')}
        type="search"
        hint={t('list.labelsHint')}
        error={bad === undefined ? undefined : t('list.badMatcher', { matcher: bad })}
        value={fields.labels}
        maxLength={1024}
        onChange={(labels) => onChange({ labels })}
      />
    </search>
  );
}
