import { useState } from 'react';
import { takesBase } from '../../../../edge/training/contract/train-request.ts';
import { ARCHITECTURES, PRESET_NAMES } from '../../../../engine/index.ts';
import { fieldLabel, presetLabel } from '../../../model-form/model-text.ts';
import {
  fieldsOf,
  type ModelValues,
  presetOf,
  presetValues,
  SHARED_NAMES,
  valuesOf,
} from '../../../model-form/model-values.ts';
import { ModelFieldInput } from '../../../model-form/ModelFieldInput.tsx';
import { optionsOf } from '../../../records/options.ts';
import { Grid, Note, Stack } from '../../../ui/Layout.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import { useJobsText } from '../words/en-jobs.ts';
import { hasBase } from './job-form.ts';
import css from './NewJob.module.css';
import type { FormFieldsProps } from './RunFields.tsx';

/** The model to train: a preset fills the fields, which can then be changed. */
export function ModelFields({ form, onChange }: FormFieldsProps) {
  const { t } = useJobsText();
  // A preset resets all fields, including those being edited.
  const [fills, setFills] = useState(0);
  return (
    <Stack as="fieldset" gap={3}>
      <legend className={css['legend']}>{t('new.model')}</legend>
      <Grid min="14rem">
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
        <FamilyFields
          form={form}
          onChange={onChange}
          onFill={(values) => {
            setFills(fills + 1);
            onChange({ values: { ...form.values, ...values } });
          }}
        />
        {form.model !== '' && (
          <Toggle
            state={form.setDefault ? 'on' : 'off'}
            onToggle={(state) => onChange({ setDefault: state === 'on' })}
          >
            {t('field.setDefault')}
          </Toggle>
        )}
      </Grid>
      {hasBase(form) && <Note>{t('new.structureOfBase')}</Note>}
      <FamilyValues key={fills} form={form} onChange={onChange} />
    </Stack>
  );
}

interface FamilyFieldsProps extends FormFieldsProps {
  /** Called with the values of a preset. */
  readonly onFill: (values: ModelValues) => void;
}

function FamilyFields({ form, onChange, onFill }: FamilyFieldsProps) {
  const text = useJobsText();
  const { architecture, values } = form;
  const preset = presetOf(architecture, values);
  const offered = [...PRESET_NAMES, ...(preset === 'custom' ? [preset] : [])];
  return (
    <>
      <SelectField
        label={text.t('modelField.architecture')}
        options={optionsOf(ARCHITECTURES, (value) => text.t(`architecture.${value}`))}
        value={architecture}
        onChange={(chosen) =>
          // Chosen values stay; those of a preset belong to its family.
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
          if (chosen !== 'custom') onFill(presetValues(architecture, chosen));
        }}
      />
    </>
  );
}

function FamilyValues({ form, onChange }: FormFieldsProps) {
  const text = useJobsText();
  const values = valuesOf(form.architecture, form.values, form.profile);
  const [width, heads] = [values['d_model'], values['n_heads']].map(Number);
  const isShaped = !width || !heads || width % heads === 0 || hasBase(form);
  const shown = Object.entries(fieldsOf(form.architecture)).filter(
    ([name]) => !hasBase(form) || SHARED_NAMES.includes(name),
  );
  return (
    <>
      <Grid min="9rem" align="start">
        {shown.map(([name, field]) => (
          <ModelFieldInput
            key={name}
            field={field}
            value={values[name] ?? field.initial}
            label={fieldLabel(text, name)}
            text={text}
            onChange={(value) => onChange({ values: { ...form.values, [name]: value } })}
          />
        ))}
      </Grid>
      {!isShaped && <p className={css['problem']}>{text.t('new.heads', { heads, width })}</p>}
    </>
  );
}
