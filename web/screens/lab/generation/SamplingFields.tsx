import { NumberField } from '../../../ui/NumberField.tsx';
import { useLabForm } from '../fields-context.ts';
import { RULES } from '../lab-fields.ts';
import { useLabText } from '../lab-text.ts';
import css from './Generation.module.css';
import { Grid } from '../../../ui/Layout.tsx';

const STEPS = {
  tokens: 50,
  temperature: 0.1,
  sample_top_k: 1,
  top_p: 0.05,
  sample_seed: 1,
} as const;

/** How the next character is chosen out of what the model expects. */
export function SamplingFields() {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  const names = Object.keys(STEPS) as (keyof typeof STEPS)[];
  return (
    <details className={css['sampling']}>
      <summary>{t('write.sampling')}</summary>
      <Grid min="9rem" align="start">
        {names.map((name) => (
          <NumberField
            key={name}
            label={t(`write.${name}`)}
            hint={name === 'sample_top_k' ? t('write.topKHint') : undefined}
            value={fields[name]}
            rule={RULES[name]}
            step={STEPS[name]}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
      </Grid>
    </details>
  );
}
