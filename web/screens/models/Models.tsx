import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { VersionRecord } from '../../../edge/registry/contract/model.ts';
import { modelsQuery } from '../../api/model-queries.ts';
import { Chips } from '../../records/Chips.tsx';
import { column, endColumn } from '../../records/columns.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Grid, Note, Stack } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { InfiniteList } from '../../ui/Resource.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { badTagOf, FILTERS, type Filters, isAlias, NO_FILTERS, searchOf } from './model-search.ts';
import { aliasTexts, StatusBadge, tagTexts } from './StatusBadge.tsx';
import { type ModelsText, useModelsText } from './words/en-models.ts';

/** The registry's models, found by name, type and framework. */
export function Models() {
  const { t } = useModelsText();
  const [filters, setFilters] = useUrlState(FILTERS);
  return (
    <Screen lead={t('models.lead')}>
      <Panel title={t('models.list')}>
        <ModelFilters filters={filters} onChange={setFilters} />
        <ModelResults filters={filters} onClear={() => setFilters(NO_FILTERS)} />
      </Panel>
    </Screen>
  );
}

/** Debounce of requests while typing. */
const TYPING_MS = 250;

interface ModelResultsProps {
  readonly filters: Filters;
  readonly onClear: () => void;
}

function ModelResults({ filters, onClear }: ModelResultsProps) {
  const { t } = useModelsText();
  const search = searchOf(useSettled(filters, TYPING_MS));
  return (
    <InfiniteList
      query={useInfiniteQuery({ ...modelsQuery(search), placeholderData: keepPreviousData })}
      skeleton={{ lines: 8, lineRem: 3.25 }}
      itemsOf={(page) => page.models}
      empty={<NoModels isFiltered={Object.keys(search).length > 0} onClear={onClear} />}
      summary={(shown, { total }) => t('models.shown', { shown, count: total })}
      more={t('models.more')}
    >
      {(models) => <ModelTable models={models} />}
    </InfiniteList>
  );
}

interface NoModelsProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function NoModels({ isFiltered, onClear }: NoModelsProps) {
  const { t } = useModelsText();
  if (!isFiltered) {
    return (
      <EmptyState icon="models" title={t('models.empty')}>
        {t('models.emptyHelp')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="search"
      title={t('models.noMatch')}
      action={<Button onClick={onClear}>{t('models.clear')}</Button>}
    >
      {t('models.noMatchHelp')}
    </EmptyState>
  );
}

const FIELDS = [
  ['name', 'models.search', 128],
  ['type', 'models.type', 128],
  ['framework', 'models.framework', 128],
  ['alias', 'filter.alias', 64],
  ['tags', 'filter.tags', 1024],
] as const;

interface ModelFiltersProps {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}

/** Filters that apply while typing. */
function ModelFilters({ filters, onChange }: ModelFiltersProps) {
  const { t } = useModelsText();
  const { alias, tags } = filters;
  const badTag = badTagOf(tags);
  const errors: Partial<Filters> = {
    ...(alias !== '' && !isAlias(alias) && { alias: t('filter.badAlias') }),
    ...(badTag !== undefined && { tags: t('filter.badTag', { tag: badTag }) }),
  };
  return (
    <Grid as="search" min="9rem" gap={[3, 4]} aria-label={t('models.filters')}>
      {FIELDS.map(([name, label, maxLength]) => (
        <TextField
          key={name}
          label={t(label)}
          type="search"
          value={filters[name]}
          maxLength={maxLength}
          hint={name === 'tags' ? t('filter.tagsHint') : undefined}
          error={errors[name]}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
    </Grid>
  );
}

/** Each model by its default version. */
function ModelTable({ models }: { readonly models: readonly VersionRecord[] }) {
  const text = useModelsText();
  return (
    <Table
      caption={text.t('models.list')}
      columns={modelColumns(text)}
      rows={models}
      rowKey={(model) => model.model_id}
    />
  );
}

function modelColumns({ t, format }: ModelsText): readonly Column<VersionRecord>[] {
  return [
    column(t('models.name'), (model) => (
      <Stack as="span" gap={0} style={{ minWidth: '10rem' }}>
        <Link href={`/models/${encodeURIComponent(model.model_id)}`}>
          <strong>{model.name}</strong>
        </Link>
        <Note as="code" style={{ fontSize: '0.75rem' }}>
          {model.model_id}
        </Note>
      </Stack>
    )),
    column(t('models.status'), ({ status }) => <StatusBadge status={status} />),
    column(t('models.version'), ({ version }) => version),
    column(t('list.aliases'), ({ aliases, tags }) => (
      <Chips accented={aliasTexts(aliases)} items={tagTexts(tags)} />
    )),
    column(t('models.type'), (model) => model.model_type),
    column(t('models.framework'), ({ framework }) => framework),
    endColumn(t('models.size'), (model) => format.bytes(model.total_size_bytes)),
    endColumn(t('models.created'), (model) => <RelativeTime time={model.created_at} />),
  ];
}
