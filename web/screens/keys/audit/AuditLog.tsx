import { useInfiniteQuery } from '@tanstack/react-query';
import { auditQuery } from '../../../api/access-client.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { InfiniteList } from '../../../ui/Resource.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { useUrlState } from '../../../url-state/use-url-state.ts';
import { useKeysText } from '../words/en-keys.ts';
import { Part } from '../Part.tsx';
import { FILTERS, type Filters, NO_FILTERS, searchOf } from './audit-search.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditTable } from './AuditTable.tsx';

/** Requests wait until the typing has stopped for this long. */
const TYPING_MS = 250;

/** Audit log of administrative actions, filtered by action, actor, target and time. */
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
  return (
    <InfiniteList
      query={query}
      skeleton={{ lines: 8, lineRem: 3 }}
      itemsOf={(page) => page.events}
      empty={<NoEvents isFiltered={Object.keys(search).length > 0} onClear={onClear} />}
      summary={(count) => t('audit.shown', { count })}
      more={t('audit.more')}
      end={t('audit.end')}
    >
      {(events) => <AuditTable events={events} />}
    </InfiniteList>
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
