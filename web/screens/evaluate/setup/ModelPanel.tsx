import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modelsQuery } from '../../../api/model-queries.ts';
import { MissingModel } from '../../../app/MissingModel.tsx';
import { Button } from '../../../ui/Button.tsx';
import { nameOfFiles, type PlacedFile } from '../../../ui/dropped-files.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { Note, Stack } from '../../../ui/Layout.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import css from '../Evaluate.module.css';
import { useEvaluateText } from '../words/en-evaluate.ts';

/** Debounce of requests while typing. */
const TYPING_MS = 250;

interface ModelPanelProps {
  /** `id@version` of a registered model; empty where none is chosen. */
  readonly model: string;
  /** Dropped files; they take precedence over the registry. */
  readonly files: readonly PlacedFile[];
  readonly onModel: (model: string) => void;
  readonly onFiles: (files: readonly PlacedFile[]) => void;
}

/** The model to evaluate: one of the registry, or the files of a checkpoint. */
export function ModelPanel({ model, files, onModel, onFiles }: ModelPanelProps) {
  const { t } = useEvaluateText();
  return (
    <Panel title={t('model.title')}>
      <Stack gap={3}>
        {files.length === 0 ? (
          <RegistryFields model={model} onModel={onModel} />
        ) : (
          <>
            <p className={css['chosen']}>{t('model.dropped', { name: nameOfFiles(files) })}</p>
            <Button tone="quiet" icon="models" onClick={() => onFiles([])}>
              {t('model.forget')}
            </Button>
          </>
        )}
        <FileDrop choose={t('model.choose')} hint={t('model.drop')} onFiles={onFiles} />
      </Stack>
    </Panel>
  );
}

function RegistryFields({ model, onModel }: Pick<ModelPanelProps, 'model' | 'onModel'>) {
  const { t } = useEvaluateText();
  const [typed, setTyped] = useState('');
  const name = useSettled(typed.normalize('NFKC').trim(), TYPING_MS);
  const query = useInfiniteQuery({
    ...modelsQuery({ framework: 'spikegrid', ...(name === '' ? {} : { name }) }),
    placeholderData: (before) => before,
  });
  const found = query.data?.pages.flatMap((page) => page.models) ?? [];
  const options = found.map((record) => ({
    value: `${record.model_id}@${record.version}`,
    label: `${record.name} ${record.version}`,
  }));
  const isListed = model === '' || options.some(({ value }) => value === model);
  return (
    <>
      <TextField label={t('model.search')} type="search" value={typed} onChange={setTyped} />
      <SelectField
        label={t('model.pick')}
        options={[
          { value: '', label: t('model.none') },
          // A model named by a link stays chosen even if the search does not find it.
          ...(isListed ? [] : [{ value: model, label: model.replace('@', ' ') }]),
          ...options,
        ]}
        value={model}
        onChange={onModel}
      />
      {!isListed && <MissingModel model={model} />}
      {query.isSuccess && found.length === 0 && <Note>{t('model.empty')}</Note>}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
    </>
  );
}
