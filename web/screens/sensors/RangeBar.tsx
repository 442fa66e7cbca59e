import { MomentField } from '../../ui/MomentField.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { type ChangeSensorsFields, type RangeFields, RANGES } from './sensor-fields.ts';
import css from './Sensors.module.css';
import { useSensorsText } from './sensors-text.ts';

export interface RangeBarProps {
  readonly fields: RangeFields;
  /** Whether the time does not begin before it ends. */
  readonly isWrong: boolean;
  readonly onChange: ChangeSensorsFields;
}

/** What comes live, or which time is looked back at. */
export function RangeBar({ fields, isWrong, onChange }: RangeBarProps) {
  const { t } = useSensorsText();
  return (
    <search className={css['range']} aria-label={t('range.region')}>
      <Segmented
        legend={t('range.region')}
        options={RANGES.map((value) => ({ value, label: t(`range.${value}`) }))}
        value={fields.range}
        onChange={(range) => onChange({ range })}
      />
      {fields.range === 'span' && (
        <div className={css['two']}>
          {(['from', 'to'] as const).map((end) => (
            <MomentField
              key={end}
              label={t(`range.${end}`)}
              error={isWrong && end === 'from' ? t('range.wrong') : undefined}
              value={fields[end]}
              onChange={(at) => onChange({ [end]: at })}
            />
          ))}
        </div>
      )}
    </search>
  );
}
