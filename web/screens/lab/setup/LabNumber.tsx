import { NumberField } from '../../../ui/NumberField.tsx';
import { useLabForm } from '../fields-context.ts';
import { RULES } from '../lab-fields.ts';
import { useLabText } from '../lab-text.ts';

interface LabNumberProps {
  readonly name: 'seed' | 'check_every';
  /** How far an arrow key goes. */
  readonly step: number;
  readonly hint?: string;
}

/** A number of the form that is none of the model's. */
export function LabNumber({ name, step, hint }: LabNumberProps) {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  return (
    <NumberField
      label={t(`setup.${name}`)}
      hint={hint}
      value={fields[name]}
      rule={RULES[name]}
      step={step}
      onChange={(value) => change({ [name]: value })}
    />
  );
}
