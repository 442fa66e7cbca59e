import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useText } from '../i18n/text-context.ts';
import { Button } from './Button.tsx';
import { ErrorState } from './ErrorState.tsx';
import { Note, Row, Stack } from './Layout.tsx';
import { Screen, type ScreenProps } from './Screen.tsx';
import { Skeleton, type SkeletonProps } from './Skeleton.tsx';

/** The members of a query that a component needs to show its state. */
export interface ResourceQuery<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface ResourceProps<Data> {
  readonly query: ResourceQuery<Data>;
  /** Stands in for the content while it loads; as high as that, so that nothing moves. */
  readonly skeleton: SkeletonProps;
  /** Whether a later failure is reported under the content, or left to the next try. */
  readonly stale?: 'silent' | 'reported' | undefined;
  /** Replaces the content where the data `isEmpty`. */
  readonly empty?: ReactNode;
  readonly isEmpty?: ((data: Data) => boolean) | undefined;
  readonly children: (data: Data) => ReactNode;
}

/** Result of a query: a skeleton while it loads, its error with a retry, or its content. */
export function Resource<Data>(props: ResourceProps<Data>) {
  const { query, skeleton, stale = 'silent', empty, isEmpty, children } = props;
  const { data, error, refetch } = query;
  const failure = error ? <ErrorState error={error} onRetry={() => void refetch()} /> : undefined;
  if (data === undefined) return failure ?? <Skeleton {...skeleton} />;
  return (
    <>
      {isEmpty?.(data) ? empty : children(data)}
      {stale === 'reported' && failure}
    </>
  );
}

type ResourceScreenProps<Data> = ResourceProps<Data> & Omit<ScreenProps, 'children'>;

/** A screen that shows one resource. */
export function ResourceScreen<Data>({
  query,
  skeleton,
  stale,
  empty,
  isEmpty,
  children,
  ...screen
}: ResourceScreenProps<Data>) {
  const resource = { query, skeleton, stale, empty, isEmpty, children };
  return (
    <Screen {...screen}>
      <Resource {...resource} />
    </Screen>
  );
}

/** The members of an infinite query that a list needs. */
type PagedQuery<Page> = Pick<
  UseInfiniteQueryResult<InfiniteData<Page>>,
  | 'data'
  | 'error'
  | 'refetch'
  | 'fetchNextPage'
  | 'hasNextPage'
  | 'isFetching'
  | 'isFetchingNextPage'
  | 'isFetchNextPageError'
>;

interface InfiniteListProps<Page, Item> {
  readonly query: PagedQuery<Page>;
  readonly skeleton: SkeletonProps;
  readonly itemsOf: (page: Page) => readonly Item[];
  /** Replaces a list without items. */
  readonly empty: ReactNode;
  /** A line under the list, such as "20 of 31 keys". */
  readonly summary?: (shown: number, last: Page) => string;
  /** Label of the button that loads the next page. */
  readonly more: string;
  /** Stands where that button was, once all is loaded. */
  readonly end?: string;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list that grows by a page at a time, from an endpoint with cursors. */
export function InfiniteList<Page, Item>(props: InfiniteListProps<Page, Item>) {
  const { query, skeleton, itemsOf, empty, summary, more, end, children } = props;
  return (
    <Resource query={query} skeleton={skeleton}>
      {({ pages }) => {
        const items = pages.flatMap(itemsOf);
        const last = pages.at(-1);
        if (items.length === 0 || last === undefined) return empty;
        return (
          <Stack aria-busy={query.isFetching}>
            {children(items)}
            <Row gap={3} justify="space-between" style={{ minHeight: 'var(--target)' }}>
              {summary && <Note as="output">{summary(items.length, last)}</Note>}
              <MoreButton pages={query}>{more}</MoreButton>
              {!query.hasNextPage && end && <Note as="span">{end}</Note>}
            </Row>
            {query.error && (
              <ErrorState
                error={query.error}
                onRetry={() =>
                  void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())
                }
              />
            )}
          </Stack>
        );
      }}
    </Resource>
  );
}

interface MoreButtonProps {
  readonly pages: Pick<PagedQuery<unknown>, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  readonly children: string;
}

/** Loads the next page of a list; absent where there is none. */
export function MoreButton({ pages, children }: MoreButtonProps) {
  const { t } = useText();
  if (!pages.hasNextPage) return null;
  return (
    <Button
      state={pages.isFetchingNextPage ? 'blocked' : 'ready'}
      onClick={() => void pages.fetchNextPage()}
    >
      {pages.isFetchingNextPage ? t('ui.loading') : children}
    </Button>
  );
}

type QueryData<Queries extends readonly ResourceQuery<unknown>[]> = {
  [Place in keyof Queries]: Queries[Place] extends ResourceQuery<infer Data> ? Data : never;
};

/** Several queries as one: its data is there once all have theirs. A retry repeats those that failed. */
export function joinQueries<const Queries extends readonly ResourceQuery<unknown>[]>(
  ...queries: Queries
): ResourceQuery<QueryData<Queries>> {
  const isHere = queries.every(({ data }) => data !== undefined);
  const failed = queries.filter(({ error }) => error);
  return {
    data: isHere ? (queries.map(({ data }) => data) as QueryData<Queries>) : undefined,
    error: failed[0]?.error,
    refetch: () => failed.map((query) => query.refetch()),
  };
}
