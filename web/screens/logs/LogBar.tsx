import { Segmented } from '../../ui/Segmented.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { type ChangeLogFields, LEVELS, type LogFields } from './log-fields.ts';
import css from './Logs.module.css';
import { useLogsText } from './words/en-logs.ts';
import { Grid } from '../../ui/Layout.tsx';

interface LogBarProps {
  readonly fields: LogFields;
  readonly onChange: ChangeLogFields;
  /** Whether what is searched for is no regular expression. */
  readonly isWrong: boolean;
}

/** Which messages are asked for, and what is searched in them. */
export function LogBar({ fields, onChange, isWrong }: LogBarProps) {
  const { t } = useLogsText();
  return (
    <Grid as="search" min="11rem" gap={[3, 4]} align="start" aria-label={t('bar.region')}>
      <SelectField
        label={t('bar.level')}
        options={LEVELS.map((value) => ({ value, label: t(`level.${value}`) }))}
        value={fields.level}
        onChange={(level) => onChange({ level })}
      />
      <TextField
        label={t('bar.source')}
        hint={t('bar.names')}
        value={fields.source}
        maxLength={400}
        onChange={(source) => onChange({ source })}
      />
      <TextField
        label={t('bar.node')}
        hint={t('bar.names')}
        value={fields.node}
        maxLength={400}
        onChange={(node) => onChange({ node })}
      />
      <div className={css['find']}>
        <TextField
          type="search"
          label={t('bar.find')}
          error={isWrong ? t('bar.wrong') : undefined}
          value={fields.find}
          maxLength={256}
          onChange={(find) => onChange({ find })}
        />
        <Segmented
          legend={t('bar.mode')}
          options={[
            { value: 'text', label: t('bar.text') },
            { value: 'regex', label: t('bar.regex') },
          ]}
          value={fields.mode}
          onChange={(mode) => onChange({ mode })}
        />
      </div>
    </Grid>
  );
}
