import { useQuery } from '@tanstack/react-query';
import { datasetsQuery } from '../../../api/training.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useJobsText } from '../jobs-text.ts';
import { DatasetUploadField } from './DatasetUploadField.tsx';
import type { FormFieldsProps } from './FormNumber.tsx';
import css from './NewJob.module.css';

const SOURCES = ['platform', 'upload', 'path'] as const;

export interface DatasetFieldsProps extends FormFieldsProps {
  readonly isMissing: boolean;
}

/** What is trained on: a dataset of the platform, a file from here, or a path on a trainer. */
export function DatasetFields({ form, onChange, isMissing }: DatasetFieldsProps) {
  const { t } = useJobsText();
  return (
    <fieldset className={css['part']}>
      <legend className={css['legend']}>{t('new.dataset')}</legend>
      <Segmented
        legend={t('new.source')}
        options={SOURCES.map((value) => ({ value, label: t(`source.${value}`) }))}
        value={form.source}
        onChange={(source) => onChange({ source })}
      />
      {form.source === 'platform' && <PlatformDataset form={form} onChange={onChange} />}
      {form.source === 'upload' && <UploadedDataset onChange={onChange} />}
      {form.source === 'path' && (
        <TextField
          label={t('field.path')}
          hint={t('field.pathHint')}
          value={form.path}
          maxLength={512}
          onChange={(path) => onChange({ path })}
        />
      )}
      {isMissing && <p className={css['problem']}>{t('new.noDataset')}</p>}
    </fieldset>
  );
}

const UploadedDataset = ({ onChange }: Pick<FormFieldsProps, 'onChange'>) => (
  <DatasetUploadField
    onDone={(name) => onChange({ source: 'platform', dataset: `datasets/${name}` })}
  />
);

function PlatformDataset({ form, onChange }: FormFieldsProps) {
  const { t, format } = useJobsText();
  const { data, error, refetch } = useQuery(datasetsQuery);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={1} lineRem={3.5} />;
  if (data.length === 0) {
    return (
      <>
        <p className={css['note']}>{t('new.noDatasets')}</p>
        <UploadedDataset onChange={onChange} />
      </>
    );
  }
  const options = data.map(({ name, size_bytes: size }) => ({
    value: `datasets/${name}`,
    label: t('field.datasetSize', { name, size: format.bytes(size) }),
  }));
  const isKnown = options.some(({ value }) => value === form.dataset);
  return (
    <SelectField
      label={t('field.dataset')}
      options={[{ value: '', label: t('field.choose') }, ...options]}
      value={isKnown ? form.dataset : ''}
      onChange={(dataset) => onChange({ dataset })}
    />
  );
}
