import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModelDetails, VersionRecord } from '../../../../edge/registry/contract/model.ts';
import { modelQuery, modelsQuery } from '../../../api/model-queries.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { parseTarget } from '../exchanges/question.ts';
import css from '../Playground.module.css';
import { usePlaygroundText, type PlaygroundText } from '../playground-text.ts';
import { Note } from '../../../ui/Layout.tsx';

/** Requests wait until the typing has stopped for this long. */
const TYPING_MS = 250;

/** Value of the list before a selection. */
const NOTHING = 'nothing';

interface TargetFieldsProps {
  readonly label: string;
  /** `id@version` or `id@alias`; empty where nothing is chosen. */
  readonly target: string;
  readonly onChange: (target: string) => void;
}

/** Which model of the registry is asked, and which of its versions. */
export function TargetFields({ label, target, onChange }: TargetFieldsProps) {
  const { t } = usePlaygroundText();
  const { found, isPartial, failure, typed, setTyped } = useModelSearch();
  const id = parseTarget(target)?.modelId ?? '';
  const choose = (chosen: string) => {
    const model = found.find((other) => other.model_id === chosen);
    onChange(model ? `${chosen}@${model.version}` : '');
  };
  return (
    <div className={css['target']}>
      {(isPartial || typed !== '') && (
        <TextField label={t('form.search')} type="search" value={typed} onChange={setTyped} />
      )}
      <SelectField
        label={label}
        options={modelOptions(found, id, t('form.pick'))}
        value={id === '' ? NOTHING : id}
        onChange={choose}
      />
      {id !== '' && <VersionField id={id} target={target} onChange={onChange} />}
      <Unreadable target={target} />
      {found.length === 0 && typed !== '' && <Note>{t('form.pickNone')}</Note>}
      {failure}
    </div>
  );
}

/** Says what an address should have named a version by. */
function Unreadable({ target }: Pick<TargetFieldsProps, 'target'>) {
  const { t } = usePlaygroundText();
  if (target === '' || parseTarget(target)) return null;
  return <Note role="alert">{t('form.pickMissing', { target })}</Note>;
}

/** The search text for models, and its results. */
function useModelSearch() {
  const [typed, setTyped] = useState('');
  const query = useModels(useSettled(typed.normalize('NFKC').trim(), TYPING_MS));
  return {
    typed,
    setTyped,
    found: query.data?.pages.flatMap((page) => page.models) ?? [],
    /** Whether there are more than the list shows. */
    isPartial: query.hasNextPage,
    failure: query.isError && (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ),
  };
}

/** The models that were found, with the chosen one among them, whether the search found that or not. */
function modelOptions(found: readonly VersionRecord[], chosen: string, nothing: string) {
  const options = found.map((model) => ({ value: model.model_id, label: model.name }));
  if (chosen === '') return [{ value: NOTHING, label: nothing }, ...options];
  const isListed = options.some(({ value }) => value === chosen);
  return isListed ? options : [{ value: chosen, label: chosen }, ...options];
}

/** Models of ours whose name contains `name`. */
export function useModels(name: string) {
  return useInfiniteQuery({
    ...modelsQuery({
      framework: 'spikegrid',
      ...(name === '' ? {} : { name }),
    }),
    placeholderData: (before) => before,
  });
}

interface VersionFieldProps extends Pick<TargetFieldsProps, 'target' | 'onChange'> {
  readonly id: string;
}

function VersionField({ id, target, onChange }: VersionFieldProps) {
  const text = usePlaygroundText();
  const { data, error, refetch } = useQuery(modelQuery(id, ''));
  const options = data ? choicesOf(text, data) : [];
  const isListed = options.some(({ value }) => value === target);
  return (
    <>
      <SelectField
        label={text.t('form.version')}
        options={
          isListed ? options : [{ value: target, label: target.slice(id.length + 1) }, ...options]
        }
        value={target}
        onChange={onChange}
      />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
    </>
  );
}

/** Every version that is ready, highest first, then every alias. */
function choicesOf({ t }: PlaygroundText, { model_id: id, versions }: ModelDetails) {
  const ready = versions.filter(({ status }) => status === 'READY');
  const numbers = ready.map(({ version }) => ({ value: `${id}@${version}`, label: version }));
  const names = ready.flatMap(({ version, aliases }) =>
    aliases.map((alias) => ({
      value: `${id}@${alias}`,
      label: t('form.aliased', { alias, version }),
    })),
  );
  return [...numbers, ...names];
}
