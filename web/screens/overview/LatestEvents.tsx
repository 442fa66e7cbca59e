import { lazy, Suspense, type ReactNode } from 'react';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { EVENT_LINE_REM, EVENT_LINES } from './events/event-room.ts';
import { useOverviewText } from './words/en-overview.ts';

// Not among what the first load waits for.
const EventsPanel = lazy(async () => ({
  default: (await import('./events/EventsPanel.tsx')).EventsPanel,
}));

/** The newest events of the platform, whose code comes after the rest of the overview. */
export function LatestEvents() {
  return (
    <ErrorBoundary fallback={withoutCode}>
      <Suspense
        fallback={
          <Untold>
            <Skeleton lines={EVENT_LINES} lineRem={EVENT_LINE_REM} />
          </Untold>
        }
      >
        <EventsPanel />
      </Suspense>
    </ErrorBoundary>
  );
}

const withoutCode = (error: unknown) => (
  <Untold>
    <ErrorState error={error} onRetry={() => location.reload()} />
  </Untold>
);

function Untold({ children }: { readonly children: ReactNode }) {
  return <Panel title={useOverviewText().t('overview.events')}>{children}</Panel>;
}
