import { useQuery } from '@tanstack/react-query';
import { totalsQuery, type MetricWindow } from '../../api/monitoring.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { TimeChart } from '../../widgets/time-chart/TimeChart.tsx';
import type { TimeCursor } from '../../widgets/time-chart/TimePlot.tsx';
import css from './Metrics.module.css';
import { useMetricsText } from './metrics-text.ts';
import { NoMetrics } from './NoMetrics.tsx';
import { redOf, redTotals } from './red.ts';
import { writeSeconds } from './units.ts';

export interface RedPanelProps {
  readonly service: string;
  readonly window: MetricWindow;
  readonly cursor: TimeCursor;
}

/** How much is asked of a service, how often it fails, and how long it takes. */
export function RedPanel({ service, window, cursor }: RedPanelProps) {
  const { t } = useMetricsText();
  const { data, error, refetch } = useQuery(totalsQuery(redTotals(service), window));
  return (
    <Panel title={t('red.title')} note={t('red.note', { service })}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton lines={3} lineRem={8} />}
      {data && data.every(({ series }) => series.length === 0) && <NoMetrics service={service} />}
      {data && data.some(({ series }) => series.length > 0) && (
        <Charts red={redOf(data)} window={window} cursor={cursor} />
      )}
    </Panel>
  );
}

interface ChartsProps extends Omit<RedPanelProps, 'service'> {
  readonly red: ReturnType<typeof redOf>;
}

function Charts({ red, window, cursor }: ChartsProps) {
  const { t, format } = useMetricsText();
  const common = {
    cursor,
    range: { from: window.from, to: window.to, stepMs: window.stepS * 1000 },
  };
  return (
    <div className={css['charts']}>
      <TimeChart
        {...common}
        title={t('red.rate')}
        series={[{ name: t('red.requests'), points: red.requests }]}
        write={(value) => t('red.rateUnit', { value: format.number(value) })}
      />
      <TimeChart
        {...common}
        title={t('red.errors')}
        series={[
          { name: t('red.server'), points: red.server },
          { name: t('red.client'), points: red.client },
        ]}
        write={format.percent}
      />
      <TimeChart
        {...common}
        title={t('red.duration')}
        series={red.durations}
        write={(value) => writeSeconds(format, value)}
      />
    </div>
  );
}
