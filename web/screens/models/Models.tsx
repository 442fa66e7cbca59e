import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { VersionRecord } from '../../../edge/registry/contract/model.ts';
import { modelsQuery } from '../../api/model-queries.ts';
import { Chips } from '../../records/Chips.tsx';
import { column, endColumn } from '../../records/columns.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Grid } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { InfiniteList } from '../../ui/Resource.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { badTagOf, FILTERS, type Filters, isAlias, NO_FILTERS, searchOf } from './model-search.ts';
import css from './Models.module.css';
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

interface ModelFiltersProps {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}

/** Filters that apply while typing. */
function ModelFilters({ filters, onChange }: ModelFiltersProps) {
  const { t } = useModelsText();
  const badTag = badTagOf(filters.tags);
  return (
    <Grid as="search" min="9rem" gap={[3, 4]} aria-label={t('models.filters')}>
      <TextField
        label={t('models.search')}
        type="search"
        value={filters.name}
        maxLength={128}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label={t('models.type')}
        type="search"
        value={filters.type}
        maxLength={128}
        onChange={(type) => onChange({ type })}
      />
      <TextField
        label={t('models.framework')}
        type="search"
        value={filters.framework}
        maxLength={128}
        onChange={(framework) => onChange({ framework })}
      />
      <TextField
        label={t('filter.alias')}
        type="search"
        value={filters.alias}
        maxLength={64}
        error={filters.alias === '' || isAlias(filters.alias) ? undefined : t('filter.badAlias')}
        onChange={(alias) => onChange({ alias })}
      />
      <TextField
        label={t('filter.tags')}
        type="search"
        value={filters.tags}
        maxLength={1024}
        hint={t('filter.tagsHint')}
        error={badTag === undefined ? undefined : t('filter.badTag', { tag: badTag })}
        onChange={(tags) => onChange({ tags })}
      />
    </Grid>
  );
}

interface ModelTableProps {
  readonly models: readonly VersionRecord[];
}

/** Each model by its default version. */
function ModelTable({ models }: ModelTableProps) {
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
      <span className={css['name']}>
        <Link href={`/models/${encodeURIComponent(model.model_id)}`}>{model.name}</Link>
        <code className={css['id']}>{model.model_id}</code>
      </span>
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
