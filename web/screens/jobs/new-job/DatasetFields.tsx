import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { DatasetName } from '../../../../edge/datasets/contract/dataset.ts';
import { type DatasetUpload, startDatasetUpload } from '../../../api/dataset-upload.ts';
import { datasetsQuery } from '../../../api/training.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Field } from '../../../ui/Field.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Note, Stack } from '../../../ui/Layout.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { Resource } from '../../../ui/Resource.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useJobsText } from '../words/en-jobs.ts';
import css from './NewJob.module.css';
import type { FormFieldsProps } from './RunFields.tsx';

const SOURCES = ['platform', 'upload', 'path'] as const;

interface DatasetFieldsProps extends FormFieldsProps {
  readonly isMissing: boolean;
}

/** The training data: a dataset of the platform, an upload, or a path on a trainer. */
export function DatasetFields({ form, onChange, isMissing }: DatasetFieldsProps) {
  const { t } = useJobsText();
  return (
    <Stack as="fieldset" gap={3}>
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
    </Stack>
  );
}

const UploadedDataset = ({ onChange }: Pick<FormFieldsProps, 'onChange'>) => (
  <DatasetUploadField
    onDone={(name) => onChange({ source: 'platform', dataset: `datasets/${name}` })}
  />
);

function PlatformDataset({ form, onChange }: FormFieldsProps) {
  const { t, format } = useJobsText();
  return (
    <Resource
      query={useQuery(datasetsQuery)}
      skeleton={{ lines: 1, lineRem: 3.5 }}
      isEmpty={({ length }) => length === 0}
      empty={
        <>
          <Note>{t('new.noDatasets')}</Note>
          <UploadedDataset onChange={onChange} />
        </>
      }
    >
      {(datasets) => {
        const options = datasets.map(({ name, size_bytes: size }) => ({
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
      }}
    </Resource>
  );
}

/** Uploads a chosen file at once; interrupted uploads resume. */
function DatasetUploadField({ onDone }: { readonly onDone: (name: string) => void }) {
  const { t } = useJobsText();
  const [file, setFile] = useState<File>();
  const [name, setName] = useState('');
  const [upload, setUpload] = useState<DatasetUpload>();
  const isNamed = DatasetName.safeParse(name).success;
  // The form may close during an upload: the parts sent by then are not sent again.
  useEffect(() => () => upload?.cancel(), [upload]);

  function choose(chosen: File | undefined) {
    if (!chosen) return;
    const near = nameFrom(chosen.name);
    setFile(chosen);
    setName(near);
    const canStart = DatasetName.safeParse(near).success && chosen.size > 0;
    setUpload(canStart ? startDatasetUpload(near, chosen) : undefined);
  }

  return (
    <div className={css['upload']}>
      <Field
        label={t('upload.file')}
        hint={t('upload.fileHint')}
        error={file?.size === 0 ? t('upload.empty') : undefined}
      >
        {(control) => (
          <input {...control} type="file" onChange={(event) => choose(event.target.files?.[0])} />
        )}
      </Field>
      {upload && (
        <UploadProgress upload={upload} onDone={onDone} onDrop={() => setUpload(undefined)} />
      )}
      {file && file.size > 0 && !upload && (
        <>
          <TextField
            label={t('upload.name')}
            value={name}
            maxLength={128}
            error={isNamed ? undefined : t('upload.badName')}
            onChange={setName}
          />
          <Button
            icon="upload"
            disabled={!isNamed}
            onClick={() => setUpload(startDatasetUpload(name, file))}
          >
            {t('upload.start')}
          </Button>
        </>
      )}
    </div>
  );
}

/** The valid dataset name closest to the file's. */
function nameFrom(filename: string): string {
  const plain = filename.normalize('NFKC').replaceAll(/[^A-Za-z0-9._-]+/g, '-');
  return plain.replace(/^[^A-Za-z0-9]+/, '').slice(0, 128);
}

interface UploadProgressProps {
  readonly upload: DatasetUpload;
  readonly onDone: (name: string) => void;
  readonly onDrop: () => void;
}

function UploadProgress({ upload, onDone, onDrop }: UploadProgressProps) {
  const { t, format } = useJobsText();
  const queries = useQueryClient();
  const state = useStore(upload.store);
  const { name, file } = upload;
  const sent = state.status === 'done' ? file.size : state.sent;
  const words = t('upload.sent', { sent: format.bytes(sent), total: format.bytes(file.size) });
  const isDone = state.status === 'done';
  useEffect(() => {
    if (!isDone) return;
    void queries.invalidateQueries(datasetsQuery).then(() => onDone(name));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when it is there
  }, [isDone]);
  return (
    <div className={css['sending']}>
      <span className={css['sendingName']}>{name}</span>
      <ProgressBar
        label={t('upload.progress', { name })}
        fraction={sent / file.size}
        valueText={words}
      />
      <Note as="span">
        {state.status === 'sending' && sent === 0 ? t('upload.reading') : words}
      </Note>
      <span className={css['buttons']}>
        {state.status === 'sending' && (
          <IconButton icon="pause" label={t('upload.pause')} onClick={upload.pause} />
        )}
        {(state.status === 'paused' || state.status === 'failed') && (
          <IconButton icon="play" label={t('upload.resume')} onClick={upload.resume} />
        )}
        {!isDone && <IconButton icon="close" label={t('upload.drop')} onClick={onDrop} />}
      </span>
      {state.status === 'failed' && <ErrorState error={state.error} onRetry={upload.resume} />}
    </div>
  );
}
