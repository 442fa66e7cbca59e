import { useInfiniteQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../api/model-queries.ts';
import { useModelsText } from './models-text.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { ModelFilters } from './ModelFilters.tsx';
import { FILTERS, NO_FILTERS, searchOf, type Filters } from './model-search.ts';
import { ModelTable } from './ModelTable.tsx';
import css from './Models.module.css';

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

/** Requests wait until the typing has stopped for this long. */
const TYPING_MS = 250;

interface ModelResultsProps {
  readonly filters: Filters;
  readonly onClear: () => void;
}

function ModelResults({ filters, onClear }: ModelResultsProps) {
  const search = searchOf(useSettled(filters, TYPING_MS));
  const query = useInfiniteQuery({ ...modelsQuery(search), placeholderData: (before) => before });
  if (query.isError && !query.data) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) return <Skeleton lines={8} lineRem={3.25} />;

  const models = query.data.pages.flatMap((page) => page.models);
  const total = query.data.pages.at(-1)?.total ?? 0;
  if (models.length === 0) {
    return <NoModels isFiltered={Object.keys(search).length > 0} onClear={onClear} />;
  }
  return (
    <div className={css['results']} aria-busy={query.isFetching}>
      <ModelTable models={models} />
      <More
        shown={models.length}
        total={total}
        state={query.isFetchingNextPage ? 'loading' : query.hasNextPage ? 'more' : 'all'}
        onMore={() => void query.fetchNextPage()}
      />
      {query.isError && (
        <ErrorState error={query.error} onRetry={() => void query.fetchNextPage()} />
      )}
    </div>
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

interface MoreProps {
  readonly shown: number;
  readonly total: number;
  readonly state: 'more' | 'loading' | 'all';
  readonly onMore: () => void;
}

/** How many of all are in sight, and the rest on request. */
function More({ shown, total, state, onMore }: MoreProps) {
  const { t } = useModelsText();
  return (
    <div className={css['more']}>
      <output>{t('models.shown', { shown, count: total })}</output>
      {state !== 'all' && (
        <Button disabled={state === 'loading'} onClick={onMore}>
          {t(state === 'loading' ? 'ui.loading' : 'models.more')}
        </Button>
      )}
    </div>
  );
}
