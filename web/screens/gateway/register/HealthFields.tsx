import { TextField } from '../../../ui/TextField.tsx';
import css from '../Gateway.module.css';
import { useGatewayText } from '../gateway-text.ts';
import type { HealthDraft } from './draft.ts';
import type { Faults } from './faults.ts';

export interface HealthFieldsProps {
  readonly health: HealthDraft;
  readonly faults: Faults;
  readonly onChange: (change: Partial<HealthDraft>) => void;
}

const FIELDS = [
  ['path', 'path', 'policy.path'],
  ['interval', 'interval_s', 'register.interval'],
  ['timeout', 'timeout_s', 'register.timeout'],
  ['failures', 'failures_before_critical', 'policy.failures'],
  ['successes', 'success_before_passing', 'policy.successes'],
] as const;

/** How the instances are asked for their health. */
export function HealthFields({ health, faults, onChange }: HealthFieldsProps) {
  const { t } = useGatewayText();
  return (
    <fieldset className={css['instance']}>
      <legend className="visually-hidden">{t('register.health')}</legend>
      <span className={css['legend']} aria-hidden="true">
        {t('register.health')}
      </span>
      <div className={css['row']}>
        {FIELDS.map(([field, member, label]) => (
          <TextField
            key={field}
            label={t(label)}
            error={faults.at(`/health/${member}`)}
            value={health[field]}
            onChange={(value) => onChange({ [field]: value })}
          />
        ))}
      </div>
    </fieldset>
  );
}
