import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardQuery } from '../../api/monitoring.ts';
import { Screen } from '../../ui/Screen.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { FIELDS, windowOf } from './metric-window.ts';
import { MetricPanel } from './MetricPanel.tsx';
import { MetricsBar } from './MetricsBar.tsx';
import { useMetricsText } from './metrics-text.ts';
import { RedPanel } from './RedPanel.tsx';

const LIVE_EVERY_MS = 5_000;
const TYPING_MS = 300;

/** What the services measure, over one stretch of time for all charts. */
export function Metrics() {
  const { t } = useMetricsText();
  const [fields, change] = useUrlState(FIELDS);
  const now = useMoment(fields.live);
  const window = windowOf(fields, now);
  const service = useSettled(fields.service.trim(), TYPING_MS);
  const [at, setAt] = useState<number | null>(null);
  const cursor = { at, move: setAt };
  const services = useQuery(dashboardQuery).data?.services ?? [];
  return (
    <Screen lead={t('metrics.lead')} width="wide">
      <MetricsBar
        fields={fields}
        onChange={change}
        services={services.map(({ name }) => name)}
        window={window}
      />
      {window && service !== '' && (
        <>
          <RedPanel service={service} window={window} cursor={cursor} />
          <MetricPanel
            key={service}
            service={service}
            window={window}
            cursor={cursor}
            fields={fields}
            onChange={change}
          />
        </>
      )}
    </Screen>
  );
}

/** Now while it is live; once it is paused, the moment it was paused at. */
function useMoment(isLive: boolean): number {
  const now = useNow(LIVE_EVERY_MS);
  const [stopped, setStopped] = useState(now);
  if (isLive && stopped !== now) setStopped(now);
  return isLive ? now : stopped;
}
