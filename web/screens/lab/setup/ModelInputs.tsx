import type { Fields } from '../../../../engine/index.ts';
import { ModelFieldInput } from '../../../model-form/ModelFieldInput.tsx';
import { fieldLabel } from '../../../model-form/model-text.ts';
import { chosenOf, fieldsOf, valuesOf } from '../../../model-form/model-values.ts';
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
  const { fields, changeModel } = useLabForm();
  const error = useStructureError();
  const values = useValues();
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

/** Values of all fields: those of the run once there is one, as `auto` is settled by its data and its device. */
function useValues(): Fields {
  const { fields, model } = useLabForm();
  const run = useLab((state) => ('run' in state.run ? state.run.run.settings : null));
  const { architecture } = fields;
  if (!run) return valuesOf(architecture, model);
  const { batch, learningRate } = run;
  const own = { ...run.fields, batch_size: batch, learning_rate: learningRate };
  // The rate of a run that rests may be changed.
  return { ...own, ...chosenOf(architecture, model) };
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
