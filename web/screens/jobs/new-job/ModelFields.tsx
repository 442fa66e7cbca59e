import { takesBase } from '../../../../edge/contract/training/train-request.ts';
import { ARCHITECTURES, PRESET_NAMES } from '../../../../engine/index.ts';
import { ModelFieldInput } from '../../../model-form/ModelFieldInput.tsx';
import { fieldLabel, presetLabel } from '../../../model-form/model-text.ts';
import { fieldsOf, presetOf, presetValues, valuesOf } from '../../../model-form/model-values.ts';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useJobsText } from '../jobs-text.ts';
import type { FormFieldsProps } from './FormNumber.tsx';
import css from './NewJob.module.css';

/** What is trained: a preset fills the fields, and each can be changed afterwards. */
export function ModelFields({ form, onChange }: FormFieldsProps) {
  const { t } = useJobsText();
  return (
    <fieldset className={css['part']}>
      <legend className={css['legend']}>{t('new.model')}</legend>
      <div className={css['grid']}>
        <TextField
          label={t('field.model')}
          hint={t('field.modelHint')}
          value={form.model}
          maxLength={128}
          onChange={(model) => onChange({ model })}
        />
        {takesBase(form.architecture) && (
          <TextField
            label={t('field.base')}
            hint={t('field.baseHint')}
            value={form.base}
            maxLength={260}
            onChange={(base) => onChange({ base })}
          />
        )}
        <FamilyFields form={form} onChange={onChange} />
      </div>
      <FamilyValues form={form} onChange={onChange} />
    </fieldset>
  );
}

function FamilyFields({ form, onChange }: FormFieldsProps) {
  const text = useJobsText();
  const { architecture, values } = form;
  const preset = presetOf(architecture, values);
  const offered = [...PRESET_NAMES, ...(preset === 'custom' ? [preset] : [])];
  return (
    <>
      <SelectField
        label={text.t('modelField.architecture')}
        options={ARCHITECTURES.map((value) => ({
          value,
          label: text.t(`architecture.${value}`),
        }))}
        value={architecture}
        onChange={(chosen) =>
          // What somebody chose stays; what a preset filled in belongs to its family.
          onChange({
            architecture: chosen,
            ...(preset !== 'custom' && { values: presetValues(chosen, preset) }),
          })
        }
      />
      <SelectField
        label={text.t('modelField.preset')}
        options={offered.map((value) => ({ value, label: presetLabel(text, value) }))}
        value={preset}
        onChange={(chosen) => {
          if (chosen === 'custom') return;
          onChange({ values: { ...values, ...presetValues(architecture, chosen) } });
        }}
      />
    </>
  );
}

function FamilyValues({ form, onChange }: FormFieldsProps) {
  const text = useJobsText();
  const values = valuesOf(form.architecture, form.values, form.profile);
  const [width, heads] = [values['d_model'], values['n_heads']].map(Number);
  const isShaped = !width || !heads || width % heads === 0;
  return (
    <>
      <div className={css['numbers']}>
        {Object.entries(fieldsOf(form.architecture)).map(([name, field]) => (
          <ModelFieldInput
            key={name}
            field={field}
            value={values[name] ?? field.initial}
            label={fieldLabel(text, name)}
            text={text}
            onChange={(value) => onChange({ values: { ...form.values, [name]: value } })}
          />
        ))}
      </div>
      {!isShaped && <p className={css['problem']}>{text.t('new.heads', { heads, width })}</p>}
    </>
  );
}
