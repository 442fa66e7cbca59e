import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modelsQuery } from '../../../api/model-queries.ts';
import { MissingModel } from '../../../app/MissingModel.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { useLabText } from '../lab-text.ts';
import { Note } from '../../../ui/Layout.tsx';

/** Requests wait until the typing has stopped for this long. */
const TYPING_MS = 250;

/** Value of the list before a selection. */
const NOTHING = 'nothing';

interface ModelPickerProps {
  /** `id@version` */
  readonly model: string;
  readonly onChoose: (model: string) => void;
}

/** A text model of the registry, found by a part of its name. */
export function ModelPicker({ model, onChoose }: ModelPickerProps) {
  const { t } = useLabText();
  const [typed, setTyped] = useState('');
  const name = useSettled(typed.normalize('NFKC').trim(), TYPING_MS);
  const query = useInfiniteQuery({
    ...modelsQuery({
      model_type: 'LangText',
      framework: 'spikegrid',
      ...(name === '' ? {} : { name }),
    }),
    placeholderData: (before) => before,
  });
  const found = query.data?.pages.flatMap((page) => page.models) ?? [];
  const options = found.map((record) => ({
    value: `${record.model_id}@${record.version}`,
    label: `${record.name} ${record.version}`,
  }));
  return (
    <>
      <TextField label={t('write.search')} type="search" value={typed} onChange={setTyped} />
      <SelectField
        label={t('write.pick')}
        options={withChosen(options, model, t('write.pickFirst'))}
        value={model === '' ? NOTHING : model}
        onChange={(chosen) => onChoose(chosen === NOTHING ? '' : chosen)}
      />
      {!options.some(({ value }) => value === model) && <MissingModel model={model} />}
      {query.isSuccess && found.length === 0 && <Note>{t('write.pickNone')}</Note>}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
    </>
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The list with what is chosen in it, whether the search found that or not. */
function withChosen(options: readonly Option[], model: string, nothing: string): Option[] {
  if (model === '') return [{ value: NOTHING, label: nothing }, ...options];
  const isThere = options.some(({ value }) => value === model);
  return isThere ? [...options] : [{ value: model, label: model.replace('@', ' ') }, ...options];
}
