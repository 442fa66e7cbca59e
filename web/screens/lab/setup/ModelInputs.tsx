import { ModelFieldInput } from '../../../model-form/ModelFieldInput.tsx';
import { fieldLabel } from '../../../model-form/model-text.ts';
import { fieldsOf, valuesOf } from '../../../model-form/model-values.ts';
import { failureWords } from '../failure-words.ts';
import { useLabForm } from '../fields-context.ts';
import { useLabText } from '../lab-text.ts';
import { useLab } from '../lab-store.ts';

interface ModelInputsProps {
  /** Which of the family's fields are shown. */
  readonly shows: (name: string) => boolean;
}

/** Fields of the family that is set up. */
export function ModelInputs({ shows }: ModelInputsProps) {
  const text = useLabText();
  const { fields, model, changeModel } = useLabForm();
  const error = useStructureError();
  const values = valuesOf(fields.architecture, model);
  const shown = Object.entries(fieldsOf(fields.architecture)).filter(([name]) => shows(name));
  return shown.map(([name, field]) => (
    <ModelFieldInput
      key={name}
      field={field}
      value={values[name] ?? field.initial}
      label={fieldLabel(text, name)}
      error={name === 'n_heads' ? error : undefined}
      text={text}
      onChange={(value) => changeModel({ [name]: value })}
    />
  ));
}

/** Width and heads must go together: what the engine says about it is said at the heads. */
function useStructureError(): string | undefined {
  const text = useLabText();
  const failure = useLab(({ plan }) => (plan.status === 'refused' ? plan.failure : null));
  if (failure?.kind !== 'engine') return undefined;
  if (failure.code !== 'invalid-structure' && failure.code !== 'invalid-setting') return undefined;
  const { title, detail } = failureWords(failure, text);
  return `${title} ${detail}`;
}
