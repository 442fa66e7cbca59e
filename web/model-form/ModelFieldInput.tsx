import type { Field, FieldValue } from '../../engine/index.ts';
import { CodeField } from '../ui/CodeField.tsx';
import { NumberField } from '../ui/NumberField.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import { choiceLabel, type ModelText } from './model-text.ts';
import { arrowStep, ruleOf } from './model-values.ts';

interface ModelFieldInputProps {
  readonly field: Field;
  readonly value: FieldValue;
  readonly label: string;
  /** An error of this value in combination with others. */
  readonly error?: string | undefined;
  readonly text: ModelText;
  readonly onChange: (value: FieldValue) => void;
}

const FLAGS = ['true', 'false'] as const;

/** One field of a family, in the form that its kind asks for. */
export function ModelFieldInput({ field, value, text, onChange, ...words }: ModelFieldInputProps) {
  if (field.kind === 'flag') {
    return (
      <SelectField
        label={words.label}
        options={FLAGS.map((flag) => ({ value: flag, label: text.t(`choice.${flag}`) }))}
        value={value === true ? 'true' : 'false'}
        onChange={(chosen) => onChange(chosen === 'true')}
      />
    );
  }
  if (field.kind === 'choice') {
    return (
      <SelectField
        label={words.label}
        options={field.choices.map((choice) => ({
          value: choice,
          label: choiceLabel(text, choice),
        }))}
        value={String(value)}
        onChange={onChange}
      />
    );
  }
  if (field.kind === 'text') {
    return <CodeField {...words} value={String(value)} maxLength={field.max} onChange={onChange} />;
  }
  const number = Number(value);
  return (
    <NumberField
      {...words}
      value={number}
      rule={ruleOf(field)}
      step={arrowStep(field, number)}
      onChange={onChange}
    />
  );
}
