import { useQuery } from '@tanstack/react-query';
import type { Preview } from '../../../edge/alerts/contract/alert-preview.ts';
import { type MetricWindow, type Total, totalsQuery } from '../../api/monitoring.ts';
import { CommandBox } from '../../app/CommandBox.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Resource } from '../../ui/Resource.tsx';
import type { TimeSeriesData } from '../../widgets/time-chart/time-scale.ts';
import { TimeChart } from '../../widgets/time-chart/TimeChart.tsx';
import type { TimeCursor } from '../../widgets/time-chart/TimePlot.tsx';
import { writeSeconds } from './MetricPanel.tsx';
import css from './Metrics.module.css';
import { useMetricsText } from './words/en-metrics.ts';

interface RedPanelProps {
  readonly service: string;
  readonly window: MetricWindow;
  readonly cursor: TimeCursor;
}

/** The rate, errors and duration of a service's requests. */
export function RedPanel({ service, window, cursor }: RedPanelProps) {
  const { t } = useMetricsText();
  return (
    <Panel title={t('red.title')} note={t('red.note', { service })}>
      <Resource
        query={useQuery(totalsQuery(redTotals(service), window))}
        skeleton={{ lines: 3, lineRem: 8 }}
        isEmpty={(totals) => totals.every(({ series }) => series.length === 0)}
        empty={<NoMetrics service={service} />}
      >
        {(totals) => <Charts red={redOf(totals)} window={window} cursor={cursor} />}
      </Resource>
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

/** How to report metrics, with a command to copy. */
function NoMetrics({ service }: { readonly service: string }) {
  const { t } = useMetricsText();
  return (
    <EmptyState
      icon="plot"
      title={t('none.service', { service })}
      action={<CommandBox command={commandFor(location.origin, service)} copy={t('none.copy')} />}
    >
      {t('none.help')}
    </EmptyState>
  );
}

const commandFor = (origin: string, service: string) => {
  const labels = { method: 'GET', route: '/', status: '2xx' };
  const metric = { name: 'http_requests_total', type: 'counter', value: 1, labels };
  const body = JSON.stringify({ service_name: service, metrics: [metric] });
  // A name with a quote in it is no service's name, so nothing can end the quotes early.
  const safe = body.replaceAll("'", '');
  return `curl ${origin}/monitoring/metrics -H 'content-type: application/json' -d '${safe}'`;
};

const REQUESTS = 'http_requests_total';
const DURATION = 'http_request_duration_seconds';

const QUANTILES = ['p50', 'p95', 'p99'] as const;

/** The queries of the three charts of a service. */
const redTotals = (service: string): readonly Total[] => [
  { service, metric: REQUESTS, agg: 'rate', by: ['status'] },
  ...QUANTILES.map((agg) => ({ service, metric: DURATION, agg, by: [] })),
];

type Points = TimeSeriesData['points'];

interface Red {
  readonly requests: Points;
  /** By what failed. */
  readonly server: Points;
  readonly client: Points;
  readonly durations: readonly TimeSeriesData[];
}

/** The chart data from the results of `redTotals`. */
export function redOf([rates, ...durations]: readonly Preview[]): Red {
  const series = rates?.series ?? [];
  const requests = sumOf(series.map(({ points }) => points));
  const ofClass = (status: string) =>
    overWhole(
      requests,
      sumOf(series.flatMap((one) => (one.labels['status'] === status ? [one.points] : []))),
    );
  return {
    requests,
    server: ofClass('5xx'),
    client: ofClass('4xx'),
    durations: QUANTILES.map((name, index) => ({
      name,
      points: durations[index]?.series[0]?.points ?? [],
    })),
  };
}

/** Sums series at the moments that any of them has. */
function sumOf(all: readonly Points[]): Points {
  const sums = new Map<number, number>();
  for (const points of all) {
    for (const [at, value] of points) sums.set(at, (sums.get(at) ?? 0) + (value ?? 0));
  }
  return [...sums].toSorted(([a], [b]) => a - b);
}

/** Each part as a fraction of the whole; null where the whole is 0. */
function overWhole(whole: Points, part: Points): Points {
  const parts = new Map(part);
  return whole.map(([at, value]) => [at, value ? (parts.get(at) ?? 0) / value : null] as const);
}
