import { useQuery } from '@tanstack/react-query';
import { Severity } from '../../../../edge/alerts/contract/alert-rule.ts';
import { receiversQuery } from '../../../api/alerts.ts';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import css from '../Alerts.module.css';
import { useAlertsText } from '../alerts-text.ts';
import { useFormText, type FormPartProps } from './ConditionFields.tsx';

/** What the alert is called, how grave it is, and who is told. */
export function AboutFields(props: FormPartProps) {
  const { form, onForm } = props;
  const { t } = useAlertsText();
  const text = useFormText(props);
  return (
    <>
      <TextField
        label={t('rule.name')}
        hint={t('rule.nameHint')}
        maxLength={128}
        {...text('name')}
      />
      <div className={css['fields']}>
        <SelectField
          label={t('rule.severity')}
          options={Severity.options.map((value) => ({ value, label: t(`severity.${value}`) }))}
          value={form.severity}
          onChange={(severity) => onForm({ ...form, severity })}
        />
        <TextField label={t('rule.labels')} hint={t('rule.labelsHint')} {...text('labels')} />
      </div>
      <TextField
        label={t('rule.summary')}
        hint={t('rule.templateHint')}
        maxLength={1024}
        {...text('summary')}
      />
      <TextAreaField label={t('rule.description')} maxLength={4096} {...text('description')} />
      <TextField label={t('rule.runbook')} maxLength={1024} {...text('runbook')} />
      <ReceiverChoice {...props} />
      <div>
        <Toggle state={form.state} onToggle={(state) => onForm({ ...form, state })}>
          {t('rule.enabled')}
        </Toggle>
      </div>
    </>
  );
}

function ReceiverChoice({ form, onForm }: FormPartProps) {
  const { t } = useAlertsText();
  const known = useQuery(receiversQuery).data?.receivers ?? [];
  if (known.length === 0) return <p className={css['muted']}>{t('rule.noReceivers')}</p>;
  const toggle = (id: string, state: 'on' | 'off') => {
    const others = form.receivers.filter((other) => other !== id);
    onForm({ ...form, receivers: state === 'on' ? [...others, id] : others });
  };
  return (
    <fieldset>
      <legend className={css['muted']}>{t('rule.receivers')}</legend>
      <div className={css['choices']}>
        {known.map(({ id, name }) => (
          <Toggle
            key={id}
            state={form.receivers.includes(id) ? 'on' : 'off'}
            onToggle={(state) => toggle(id, state)}
          >
            {name}
          </Toggle>
        ))}
      </div>
    </fieldset>
  );
}
