import type { PlatformEvent } from '../../../../edge/events/contract/platform-event.ts';
import { openEvents } from '../../../api/events.ts';
import type { StreamLink } from '../../../api/follow-stream.ts';
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import css from './EventsPanel.module.css';
import { createEventFeed } from './event-feed.ts';
import { eventLine } from './event-line.ts';
import { EVENT_LINE_REM, EVENT_LINES } from './event-room.ts';
import { useEventsText } from './words/en-events.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { useStore } from 'zustand';

const LINK_TONES: Readonly<Record<StreamLink['status'], BadgeTone>> = {
  connecting: 'neutral',
  live: 'good',
  lost: 'warn',
  over: 'neutral',
  refused: 'bad',
};

const newFeed = () => createEventFeed(openEvents);

/** Latest platform events, newest first, updated live. */
export function EventsPanel() {
  const { t } = useEventsText();
  const isSeen = usePageSeen();
  const [feed, setFeed] = useState(newFeed);
  useEffect(() => (isSeen ? feed.follow() : undefined), [feed, isSeen]);
  const { link, events } = useStore(feed.store);
  const state = (
    <output>
      <Badge tone={LINK_TONES[link.status]}>{t(`link.${link.status}`)}</Badge>
    </output>
  );
  return (
    <div className={css['events']}>
      <Panel title={t('overview.events')} actions={state}>
        {link.status === 'refused' && (
          <ErrorState error={link.error} onRetry={() => setFeed(newFeed())} />
        )}
        {link.status !== 'refused' && !events && (
          <Skeleton lines={EVENT_LINES} lineRem={EVENT_LINE_REM} />
        )}
        {events && <Events events={events} />}
      </Panel>
    </div>
  );
}

function Events({ events }: { readonly events: readonly PlatformEvent[] }) {
  const text = useEventsText();
  const { t } = text;
  if (events.length === 0) {
    return (
      <div className={css['room']}>
        <EmptyState title={t('events.none')}>{t('events.noneHelp')}</EmptyState>
      </div>
    );
  }
  return (
    <ol className={css['room']} aria-label={t('overview.events')}>
      {events.map((event) => {
        const { about, tone, sentence, href } = eventLine(text, event);
        return (
          <li key={event.id} className={css['line']}>
            <span className={css['about']}>
              <Badge tone={tone}>{t(`about.${about}`)}</Badge>
            </span>
            <Link href={href}>{sentence}</Link>
            <span className={css['time']}>
              <RelativeTime time={event.time} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** Whether the page is seen: a tab behind others need not keep a connection, of which a browser has few. */
const usePageSeen = (): boolean =>
  useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');

function subscribe(notify: () => void): () => void {
  document.addEventListener('visibilitychange', notify);
  return () => document.removeEventListener('visibilitychange', notify);
}
