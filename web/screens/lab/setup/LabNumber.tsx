import { NumberField } from '../../../ui/NumberField.tsx';
import { failureWords } from '../failure-words.ts';
import { useLabForm } from '../fields-context.ts';
import { type LabFields, RULES } from '../lab-fields.ts';
import { useLabText } from '../lab-text.ts';
import { useLab } from '../the-lab.ts';

type NumberName =
  | 'd_model'
  | 'heads'
  | 'blocks'
  | 'time_steps'
  | 'seq_len'
  | 'batch_size'
  | 'learning_rate'
  | 'seed'
  | 'vocab_size'
  | 'check_every';

export interface LabNumberProps {
  readonly name: NumberName & keyof LabFields;
  /** How far an arrow key goes. */
  readonly step: number;
  readonly hint?: string;
}

/** One number of the form. */
export function LabNumber({ name, step, hint }: LabNumberProps) {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  return (
    <NumberField
      label={t(`setup.${name}`)}
      hint={hint}
      error={useStructureError(name)}
      value={fields[name]}
      rule={RULES[name]}
      step={step}
      onChange={(value) => change({ [name]: value })}
    />
  );
}

/** Width and heads must go together: what the engine says about it is said at the heads. */
function useStructureError(name: NumberName): string | undefined {
  const text = useLabText();
  const failure = useLab(({ plan }) => (plan.status === 'refused' ? plan.failure : null));
  if (name !== 'heads' || failure?.kind !== 'engine') return undefined;
  if (failure.code !== 'invalid-structure' && failure.code !== 'invalid-setting') return undefined;
  const { title, detail } = failureWords(failure, text);
  return `${title} ${detail}`;
}
