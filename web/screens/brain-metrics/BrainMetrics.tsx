import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LogMetrics } from '../../../edge/logs/contract/log-message.ts';
import { LOG_METRICS_EVERY_MS, logMetricsQuery } from '../../api/logs.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { ResourceScreen } from '../../ui/Resource.tsx';
import { TimeChart } from '../../widgets/time-chart/TimeChart.tsx';
import { useBrainMetricsText } from './words/en-brain-metrics.ts';
import {
  clientsOf,
  type CounterName,
  growthOf,
  type Reading,
  withReading,
} from './metrics-trail.ts';

/** The time range of the charts: one point per sample. */
const RANGE_MS = 15 * 60_000;
const COUNTERS: readonly CounterName[] = ['broadcast_drops', 'persist_drops', 'send_timeouts'];

/** The counters of the log stream as numbers and over time, asked for every 5 seconds. */
export function BrainMetrics() {
  const { t } = useBrainMetricsText();
  const query = useQuery(logMetricsQuery);
  const trail = useTrail(query.data, query.dataUpdatedAt);
  return (
    <ResourceScreen lead={t('brain.lead')} query={query} skeleton={{ lines: 3, lineRem: 8 }}>
      {(metrics) => (
        <>
          <Values metrics={metrics} />
          <Graphs trail={trail} />
        </>
      )}
    </ResourceScreen>
  );
}

/** Every answer since the screen was opened. */
function useTrail(metrics: LogMetrics | undefined, at: number): readonly Reading[] {
  const [trail, setTrail] = useState<readonly Reading[]>([]);
  const grown = metrics ? withReading(trail, { at, metrics }) : trail;
  if (grown !== trail) setTrail(grown);
  return grown;
}

function Values({ metrics }: { readonly metrics: LogMetrics }) {
  const { t, format } = useBrainMetricsText();
  return (
    <Panel title={t('values.title')} note={t('values.note')}>
      <Facts
        facts={[
          { label: t('connected_clients'), value: format.integer(metrics.connected_clients) },
          ...COUNTERS.map((name) => ({ label: t(name), value: format.integer(metrics[name]) })),
          { label: t('last_update'), value: <RelativeTime time={metrics.last_update} /> },
        ]}
      />
    </Panel>
  );
}

function Graphs({ trail }: { readonly trail: readonly Reading[] }) {
  const { t, format } = useBrainMetricsText();
  const [at, setAt] = useState<number | null>(null);
  const to = (trail.at(-1)?.at ?? 0) + LOG_METRICS_EVERY_MS;
  const common = {
    cursor: { at, move: setAt },
    range: { from: to - RANGE_MS, to, stepMs: LOG_METRICS_EVERY_MS },
    write: format.integer,
    level: 2 as const,
  };
  return (
    <>
      <TimeChart
        {...common}
        title={t('graphs.clients')}
        series={[{ name: t('connected_clients'), points: clientsOf(trail) }]}
      />
      <TimeChart
        {...common}
        title={t('graphs.growth')}
        series={COUNTERS.map((name) => ({ name: t(name), points: growthOf(trail, name) }))}
      />
    </>
  );
}
