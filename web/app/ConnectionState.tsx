import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useText } from '../i18n/text-context.ts';
import { announceConnection } from '../stores/announcement.ts';
import type { Connection } from '../stores/connection-machine.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { useNow } from '../ui/use-now.ts';
import css from './ConnectionState.module.css';
import { useServices } from './services.ts';

const TONES: Readonly<Record<Connection['status'], BadgeTone>> = {
  connecting: 'neutral',
  live: 'good',
  reconnecting: 'warn',
  offline: 'bad',
};

const SAID = {
  nothing: undefined,
  live: 'connection.saidLive',
  reconnecting: 'connection.saidReconnecting',
  offline: 'connection.saidOffline',
} as const;

/** Whether the gateway answers, in a word; changes are read aloud. */
export function ConnectionState() {
  const { t } = useText();
  const { store } = useServices().connection;
  const connection = useStore(store);
  const announced = useStore(useMemo(() => announceConnection(store), [store]));
  const said = SAID[announced];
  return (
    <div className={css['state']}>
      <span className="visually-hidden">{t('connection.label')}</span>
      {'retryAt' in connection && <Countdown retryAt={connection.retryAt} />}
      <Badge tone={TONES[connection.status]}>{t(`connection.${connection.status}`)}</Badge>
      <output className="visually-hidden">{said && t(said)}</output>
    </div>
  );
}

/** Seconds until the next try. Not read aloud: it changes every second. */
function Countdown({ retryAt }: { readonly retryAt: number }) {
  const { t } = useText();
  const seconds = Math.max(0, Math.ceil((retryAt - useNow(250)) / 1000));
  return (
    <span className={css['countdown']} aria-hidden="true">
      {t('connection.retryIn', { count: seconds })}
    </span>
  );
}
