import { useInfiniteQuery } from '@tanstack/react-query';
import { auditQuery } from '../../../api/access-client.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { useUrlState } from '../../../url-state/use-url-state.ts';
import css from '../Keys.module.css';
import { useKeysText } from '../keys-text.ts';
import { Part } from '../Part.tsx';
import { FILTERS, type Filters, NO_FILTERS, searchOf } from './audit-search.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditTable } from './AuditTable.tsx';

/** Requests wait until the typing has stopped for this long. */
const TYPING_MS = 250;

/** What was administered, found by action, actor, target and time. */
export function AuditLog() {
  const { t } = useKeysText();
  const [filters, setFilters] = useUrlState(FILTERS);
  return (
    <Part title={t('audit.title')} note={t('audit.note')}>
      <AuditFilters filters={filters} onChange={setFilters} />
      <Results filters={filters} onClear={() => setFilters(NO_FILTERS)} />
    </Part>
  );
}

interface ResultsProps {
  readonly filters: Filters;
  readonly onClear: () => void;
}

function Results({ filters, onClear }: ResultsProps) {
  const { t } = useKeysText();
  const search = searchOf(useSettled(filters, TYPING_MS));
  const query = useInfiniteQuery({ ...auditQuery(search), placeholderData: (before) => before });
  if (!query.data) {
    if (!query.isError) return <Skeleton lines={8} lineRem={3} />;
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  const events = query.data.pages.flatMap((page) => page.events);
  if (events.length === 0) {
    return <NoEvents isFiltered={Object.keys(search).length > 0} onClear={onClear} />;
  }
  return (
    <div className={css['results']} aria-busy={query.isFetching}>
      <AuditTable events={events} />
      <div className={css['more']}>
        <output>{t('audit.shown', { count: events.length })}</output>
        {query.hasNextPage ? (
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t(query.isFetchingNextPage ? 'ui.loading' : 'audit.more')}
          </Button>
        ) : (
          <span>{t('audit.end')}</span>
        )}
      </div>
      {query.isError && (
        <ErrorState error={query.error} onRetry={() => void query.fetchNextPage()} />
      )}
    </div>
  );
}

interface NoEventsProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function NoEvents({ isFiltered, onClear }: NoEventsProps) {
  const { t } = useKeysText();
  if (!isFiltered) return <EmptyState title={t('audit.empty')}>{t('audit.emptyHelp')}</EmptyState>;
  return (
    <EmptyState
      icon="search"
      title={t('audit.noMatch')}
      action={<Button onClick={onClear}>{t('audit.clear')}</Button>}
    >
      {t('audit.noMatchHelp')}
    </EmptyState>
  );
}
