import { NORMALISATIONS, TEXT_ENCODINGS, TOKENIZER_KINDS } from '../../../../engine/index.ts';
import { SelectField } from '../../../ui/SelectField.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import { useLabForm } from '../fields-context.ts';
import { useLabText } from '../lab-text.ts';
import { LabNumber } from './LabNumber.tsx';
import css from './Setup.module.css';

const ENCODINGS = ['detected', ...TEXT_ENCODINGS] as const;

/** How bytes become text, and text becomes tokens. */
export function ReadingFields() {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  return (
    <div className={css['grid']}>
      <SelectField
        label={t('setup.tokenizer')}
        options={TOKENIZER_KINDS.map((value) => ({ value, label: t(`tokenizer.${value}`) }))}
        value={fields.tokenizer}
        onChange={(tokenizer) => change({ tokenizer })}
      />
      {fields.tokenizer === 'bpe' && <LabNumber name="vocab_size" step={256} />}
      <SelectField
        label={t('setup.encoding')}
        options={ENCODINGS.map((value) => ({ value, label: t(`encoding.${value}`) }))}
        value={fields.encoding}
        onChange={(encoding) => change({ encoding })}
      />
      <SelectField
        label={t('setup.normalise')}
        options={NORMALISATIONS.map((value) => ({ value, label: t(`normalise.${value}`) }))}
        value={fields.normalise}
        onChange={(normalise) => change({ normalise })}
      />
      <Toggle
        state={fields.aozora ? 'on' : 'off'}
        onToggle={(state) => change({ aozora: state === 'on' })}
      >
        {t('setup.aozora')}
      </Toggle>
    </div>
  );
}
