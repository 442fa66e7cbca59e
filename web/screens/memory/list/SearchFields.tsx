import { MemoryStrategy } from '../../../../edge/memory/contract/search.ts';
import { RangeField } from '../../../ui/RangeField.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { type ChangeMemoryFields, type MemoryFields } from '../memory-fields.ts';
import css from '../Memory.module.css';
import { useMemoryText } from '../memory-text.ts';

export interface SearchFieldsProps {
  readonly fields: MemoryFields;
  readonly onChange: ChangeMemoryFields;
}

/** What is looked for, and among which memories. */
export function SearchFields({ fields, onChange }: SearchFieldsProps) {
  const { t, format } = useMemoryText();
  return (
    <search className={css['search']} aria-label={t('search.region')}>
      <div className={css['wide']}>
        <TextField
          type="search"
          label={t('search.q')}
          hint={t('search.hint')}
          value={fields.q}
          maxLength={1_000}
          onChange={(q) => onChange({ q })}
        />
      </div>
      <TextField
        label={t('search.user')}
        value={fields.user}
        maxLength={128}
        onChange={(user) => onChange({ user })}
      />
      <TextField
        label={t('search.session')}
        value={fields.session}
        maxLength={128}
        onChange={(session) => onChange({ session })}
      />
      <TextField
        label={t('search.tags')}
        value={fields.tags}
        maxLength={400}
        onChange={(tags) => onChange({ tags })}
      />
      <SelectField
        label={t('search.strategy')}
        options={MemoryStrategy.options.map((value) => ({
          value,
          label: t(`strategy.${value}`),
        }))}
        value={fields.strategy}
        onChange={(strategy) => onChange({ strategy })}
      />
      <RangeField
        label={t('search.min')}
        min={0}
        max={1}
        step={0.05}
        value={fields.min}
        valueText={format.number(fields.min)}
        onChange={(min) => onChange({ min: Number(min.toFixed(2)) })}
      />
    </search>
  );
}
