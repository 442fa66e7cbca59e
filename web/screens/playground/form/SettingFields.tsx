import { NumberField } from '../../../ui/NumberField.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import { parseStops } from '../exchanges/question.ts';
import { Grid } from '../../../ui/Layout.tsx';
import css from '../Playground.module.css';
import { RULES, type ChangeFields, type PlaygroundFields } from '../playground-fields.ts';
import { usePlaygroundText } from '../playground-text.ts';

const STEPS = { max_length: 50, temperature: 0.1, top_k: 1, top_p: 0.05, seed: 1 } as const;

interface SettingFieldsProps {
  readonly fields: PlaygroundFields;
  readonly onChange: ChangeFields;
}

/** How each next character is chosen, and what is answered beside the text. */
export function SettingFields({ fields, onChange }: SettingFieldsProps) {
  const { t } = usePlaygroundText();
  const hints = { temperature: t('form.temperatureHint'), top_k: t('form.topKHint') };
  const names = Object.keys(STEPS) as (keyof typeof STEPS)[];
  return (
    <details className={css['details']}>
      <summary>{t('form.settings')}</summary>
      <Grid min="8rem" align="start" style={{ marginBottom: 'var(--space-3)' }}>
        {names.map((name) => (
          <NumberField
            key={name}
            label={t(`form.${name}`)}
            hint={name in hints ? hints[name as keyof typeof hints] : undefined}
            value={fields[name]}
            rule={RULES[name]}
            step={STEPS[name]}
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
      </Grid>
      <TextAreaField
        label={t('form.stopAt')}
        hint={t('form.stopHint')}
        error={parseStops(fields.stop) ? undefined : t('form.badStops')}
        value={fields.stop}
        maxLength={600}
        onChange={(stop) => onChange({ stop })}
      />
      <div className={css['toggles']}>
        <Toggle
          state={fields.draw ? 'on' : 'off'}
          onToggle={(state) => onChange({ draw: state === 'on' })}
        >
          {t('form.draw')}
        </Toggle>
        <Toggle
          state={fields.raster ? 'on' : 'off'}
          onToggle={(state) => onChange({ raster: state === 'on' })}
        >
          {t('form.raster')}
        </Toggle>
      </div>
    </details>
  );
}
