import { NumberField } from '../../../ui/NumberField.tsx';
import { type JobsText, useJobsText } from '../jobs-text.ts';
import { type ChangeForm, type JobForm, type NumberName, RULES } from './job-form.ts';

export interface FormFieldsProps {
  readonly form: JobForm;
  readonly onChange: ChangeForm;
}

export interface FormNumberProps extends FormFieldsProps {
  readonly name: NumberName;
  /** How far an arrow key goes. */
  readonly step: number;
  readonly hint?: Parameters<JobsText['t']>[0] & `field.${string}Hint`;
}

/** One of the form's numbers. */
export function FormNumber({ form, onChange, name, step, hint }: FormNumberProps) {
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
