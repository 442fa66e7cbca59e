import { ConvergenceProfile } from '../../../../edge/training/contract/controls.ts';
import { optionsOf } from '../../../records/options.ts';
import { Grid, Note, Stack } from '../../../ui/Layout.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { type JobsText, useJobsText } from '../words/en-jobs.ts';
import {
  baselineValues,
  BUDGETS,
  type ChangeForm,
  type JobForm,
  type NumberName,
  RULES,
} from './job-form.ts';
import css from './NewJob.module.css';

const BUDGET_STEPS = { steps: 100, epochs: 0.1, minutes: 1 } as const;
const DEVICES = ['', 'gpu', 'cpu'] as const;

/** The run: its budget, device, replicas and convergence profile. */
export function RunFields({ form, onChange }: FormFieldsProps) {
  const { t } = useJobsText();
  const fields = { form, onChange };
  return (
    <Stack as="fieldset" gap={3}>
      <legend className={css['legend']}>{t('new.run')}</legend>
      <Grid min="9rem" align="start">
        <FormNumber {...fields} name="budget" step={BUDGET_STEPS[form.budget_in]} />
        <SelectField
          label={t('field.unit')}
          options={BUDGETS.map((value) => ({ value, label: t(`unit.${value}`) }))}
          value={form.budget_in}
          onChange={(unit) => onChange({ budget_in: unit })}
        />
        <FormNumber {...fields} name="seed" step={1} />
        <FormNumber {...fields} name="replicas" step={1} hint="field.replicasHint" />
        {form.replicas > 1 && <FormNumber {...fields} name="local_steps" step={10} />}
        <FormNumber {...fields} name="priority" step={10} hint="field.priorityHint" />
        <SelectField
          label={t('field.device')}
          options={optionsOf(DEVICES, (value) =>
            t(value === '' ? 'device.any' : `device.${value}`),
          )}
          value={form.device}
          onChange={(device) => onChange({ device })}
        />
      </Grid>
      <SelectField
        label={t('field.profile')}
        hint={t(`profile.${form.profile}Help`)}
        options={optionsOf(ConvergenceProfile.options, (value) => t(`profile.${value}`))}
        value={form.profile}
        onChange={(profile) =>
          onChange({
            profile,
            ...(profile === 'stable_baseline' && {
              values: { ...form.values, ...baselineValues(form.architecture) },
            }),
          })
        }
      />
      {Object.keys(form.controls).length > 0 && (
        <Note>{t('new.controls', { controls: JSON.stringify(form.controls) })}</Note>
      )}
    </Stack>
  );
}

export interface FormFieldsProps {
  readonly form: JobForm;
  readonly onChange: ChangeForm;
}

interface FormNumberProps extends FormFieldsProps {
  readonly name: NumberName;
  /** Step of the arrow keys. */
  readonly step: number;
  readonly hint?: Parameters<JobsText['t']>[0] & `field.${string}Hint`;
}

function FormNumber({ form, onChange, name, step, hint }: FormNumberProps) {
  const { t } = useJobsText();
  return (
    <NumberField
      label={t(`field.${name}`)}
      hint={hint && t(hint)}
      value={form[name]}
      rule={RULES[name]}
      step={step}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
}
