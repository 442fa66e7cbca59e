import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { memoriesQuery, type MemoryPage } from '../../api/memory.ts';
import { JsonView } from '../../records/JsonView.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { MoreButton, Resource } from '../../ui/Resource.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Segmented } from '../../ui/Segmented.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import {
  type ChangeMemoryFields,
  isFiltered,
  isUnknownNamespace,
  type MemoryFields,
  NO_FILTERS,
  placeOf,
  searchOf,
  type TimeWindow,
} from './memory-fields.ts';
import { jsonFile } from './MemoryParts.tsx';
import { MemoryTable, ScoreLegend } from './MemoryTable.tsx';
import { type MemoryText, useMemoryText } from './words/en-memory.ts';

/** Debounce of requests while typing. */
const TYPING_MS = 300;

interface MemoryResultsProps {
  readonly fields: MemoryFields;
  readonly window: TimeWindow;
  readonly onOpen: (memoryId: string) => void;
  readonly onChange: ChangeMemoryFields;
  readonly onStore: () => void;
}

/** The memories found, as a table or as JSON. */
export function MemoryResults(props: MemoryResultsProps) {
  const { fields, window, onOpen, onChange } = props;
  const text = useMemoryText();
  const { t } = text;
  const settled = useSettled(fields, TYPING_MS);
  const query = useInfiniteQuery({
    ...memoriesQuery(placeOf(settled), searchOf(settled)),
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages ?? [];
  const memories = pages.flatMap((page) => page.memories);
  const isEmpty = memories.length === 0 && query.isSuccess;
  if (isEmpty || isUnknownNamespace(query.error)) return <Nothing {...props} />;
  return (
    <Resource query={query} skeleton={{ lines: 6, lineRem: 4 }}>
      {() => (
        <Panel
          title={t('list.title')}
          note={noteOf(text, pages[0], memories.length)}
          actions={
            <ViewSwitch view={fields.view} value={memories} onView={(view) => onChange({ view })} />
          }
        >
          <Stack aria-busy={query.isFetching}>
            {memories.some((memory) => 'score' in memory) && <ScoreLegend />}
            {fields.view === 'json' ? (
              <JsonView label={t('list.title')} value={memories} />
            ) : (
              <MemoryTable memories={memories} fields={fields} window={window} onOpen={onOpen} />
            )}
            <MoreButton pages={query}>{t('list.more')}</MoreButton>
            {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
          </Stack>
        </Panel>
      )}
    </Resource>
  );
}

function noteOf({ t }: MemoryText, page: MemoryPage | undefined, count: number): string {
  if (!page?.found) return t('list.latest', { count });
  const { strategy, latency_ms: ms, truncated } = page.found;
  return t(truncated ? 'list.foundSome' : 'list.found', { count, strategy, ms });
}

interface ViewSwitchProps {
  readonly view: MemoryFields['view'];
  readonly value: unknown;
  readonly onView: (view: MemoryFields['view']) => void;
}

function ViewSwitch({ view, value, onView }: ViewSwitchProps) {
  const { t } = useMemoryText();
  return (
    <>
      <Segmented
        legend={t('view.legend')}
        options={[
          { value: 'table', label: t('view.table') },
          { value: 'json', label: t('view.json') },
        ]}
        value={view}
        onChange={onView}
      />
      <IconButton
        icon="download"
        label={t('view.save')}
        onClick={() => saveFile('memories.json', jsonFile(value))}
      />
    </>
  );
}

function Nothing({ fields, onChange, onStore }: MemoryResultsProps) {
  const { t } = useMemoryText();
  if (isFiltered(fields) || fields.at !== '') {
    const clear = () => onChange({ ...NO_FILTERS, at: '' });
    return (
      <EmptyState
        icon="search"
        title={t('none.found')}
        action={<Button onClick={clear}>{t('none.clear')}</Button>}
      >
        {t('none.foundHelp')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="memory"
      title={t('none.title')}
      action={
        <Button tone="primary" icon="add" onClick={onStore}>
          {t('store.open')}
        </Button>
      }
    >
      {t('none.help')}
    </EmptyState>
  );
}
