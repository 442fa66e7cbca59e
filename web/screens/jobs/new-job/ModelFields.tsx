import { type PresetName, presets } from '../../../../engine/index.ts';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useJobsText } from '../jobs-text.ts';
import { FormNumber, type FormFieldsProps } from './FormNumber.tsx';
import { presetForm, presetOf } from './job-form.ts';
import css from './NewJob.module.css';

const PRESETS = [...(Object.keys(presets) as PresetName[]), 'custom'] as const;

/** How far an arrow key goes in the fields that shape the model. */
const SHAPE_STEPS = {
  d_model: 8,
  n_heads: 1,
  num_blocks: 1,
  time_steps: 1,
  seq_len: 8,
  batch_size: 1,
} as const;

/** What is trained: a preset fills the fields, and each can be changed afterwards. */
export function ModelFields({ form, onChange }: FormFieldsProps) {
  const { t } = useJobsText();
  const preset = presetOf(form);
  const offered = PRESETS.filter((name) => name !== 'custom' || preset === 'custom');
  const isShaped = form.d_model % form.n_heads === 0;
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
        <TextField
          label={t('field.base')}
          hint={t('field.baseHint')}
          value={form.base}
          maxLength={260}
          onChange={(base) => onChange({ base })}
        />
        <SelectField
          label={t('field.preset')}
          options={offered.map((value) => ({ value, label: t(`preset.${value}`) }))}
          value={preset}
          onChange={(chosen) => chosen !== 'custom' && onChange(presetForm(chosen))}
        />
      </div>
      <div className={css['numbers']}>
        {(Object.keys(SHAPE_STEPS) as (keyof typeof SHAPE_STEPS)[]).map((name) => (
          <FormNumber
            key={name}
            name={name}
            step={SHAPE_STEPS[name]}
            form={form}
            onChange={onChange}
          />
        ))}
      </div>
      {!isShaped && (
        <p className={css['problem']}>
          {t('new.heads', { heads: form.n_heads, width: form.d_model })}
        </p>
      )}
    </fieldset>
  );
}
