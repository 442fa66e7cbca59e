import { DEVICES, SPLITS } from '../../../../engine/index.ts';
import { nameOfFiles, type PlacedFile, sizeOfFiles } from '../../../ui/dropped-files.ts';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { Stack } from '../../../ui/Layout.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { type ChangeEvaluate, type EvaluateFields, FORMS, RULES } from '../evaluate-fields.ts';
import css from '../Evaluate.module.css';
import { useEvaluateText } from '../words/en-evaluate.ts';

interface DataPanelProps {
  readonly fields: EvaluateFields;
  readonly files: readonly PlacedFile[];
  readonly onChange: ChangeEvaluate;
  readonly onFiles: (files: readonly PlacedFile[]) => void;
}

/** The evaluation data and how it is read. */
export function DataPanel({ fields, files, onChange, onFiles }: DataPanelProps) {
  const { t } = useEvaluateText();
  return (
    <Panel title={t('data.title')}>
      <Stack gap={3}>
        <FileDrop choose={t('data.choose')} hint={t('data.drop')} onFiles={onFiles} />
        {files.length > 0 && <ChosenData files={files} />}
        <SelectField
          label={t('data.split')}
          options={SPLITS.map((value) => ({ value, label: t(`data.${value}`) }))}
          value={fields.split}
          onChange={(split) => onChange({ split })}
        />
        <FormFields fields={fields} onChange={onChange} />
        <SelectField
          label={t('data.device')}
          options={DEVICES.map((value) => ({ value, label: t(`engine.${value}`) }))}
          value={fields.device}
          onChange={(device) => onChange({ device })}
        />
      </Stack>
    </Panel>
  );
}

function ChosenData({ files }: Pick<DataPanelProps, 'files'>) {
  const { t, format } = useEvaluateText();
  const facts = { name: nameOfFiles(files), size: format.bytes(sizeOfFiles(files)) };
  const count = files.length;
  return (
    <p className={css['chosen']}>
      {count === 1 ? t('data.chosen', facts) : t('data.files', { ...facts, count })}
    </p>
  );
}

function FormFields({ fields, onChange }: Pick<DataPanelProps, 'fields' | 'onChange'>) {
  const { t } = useEvaluateText();
  const { form, streams, windows } = fields;
  return (
    <>
      <SelectField
        label={t('data.form')}
        options={FORMS.map((value) => ({ value, label: t(`data.${value}`) }))}
        value={form}
        onChange={(next) => onChange({ form: next })}
      />
      {form === 'stream' ? (
        <NumberField
          label={t('data.streams')}
          value={streams}
          rule={RULES.streams}
          step={1}
          onChange={(next) => onChange({ streams: next })}
        />
      ) : (
        <NumberField
          label={t('data.count')}
          value={windows}
          rule={RULES.windows}
          step={64}
          onChange={(next) => onChange({ windows: next })}
        />
      )}
    </>
  );
}
