import { useQuery } from '@tanstack/react-query';
import { Aggregation, type MetricSeries } from '../../../edge/monitoring/contract/metrics-query.ts';
import type { MetricType } from '../../../edge/monitoring/contract/metrics.ts';
import { catalogueQuery, type MetricWindow, seriesQuery } from '../../api/monitoring.ts';
import type { Format } from '../../i18n/format.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Note } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import type { TimeSeriesData } from '../../widgets/time-chart/time-scale.ts';
import { TimeChart } from '../../widgets/time-chart/TimeChart.tsx';
import type { TimeCursor } from '../../widgets/time-chart/TimePlot.tsx';
import type { ChangeMetricFields, MetricFields } from './metric-window.ts';
import css from './Metrics.module.css';
import { useMetricsText } from './words/en-metrics.ts';

interface MetricPanelProps {
  readonly service: string;
  readonly window: MetricWindow;
  readonly cursor: TimeCursor;
  readonly fields: MetricFields;
  readonly onChange: ChangeMetricFields;
}

/** Any metric of the service, by any aggregation. */
export function MetricPanel(props: MetricPanelProps) {
  const { service, fields, onChange } = props;
  const { t } = useMetricsText();
  const { data = [], error, refetch } = useQuery(catalogueQuery(service));
  const names = namesIn(data);
  const chosen = data.find(({ name }) => name === fields.metric);
  if (data.length === 0 && !error) return null;
  return (
    <Panel title={t('metric.title')} note={t('metric.note')}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      <div className={css['choice']}>
        <SelectField
          label={t('metric.name')}
          options={[
            { value: '', label: t('metric.choose') },
            ...names.map((name) => ({ value: name, label: name })),
          ]}
          value={chosen ? fields.metric : ''}
          onChange={(metric) => onChange({ metric, agg: 'auto' })}
        />
        <SelectField
          label={t('metric.agg')}
          options={[
            { value: 'auto', label: t('bar.auto') },
            ...Aggregation.options.map((value) => ({ value, label: value })),
          ]}
          value={fields.agg}
          onChange={(agg) => onChange({ agg })}
        />
      </div>
      {chosen ? (
        <OneMetric {...props} metric={chosen} />
      ) : (
        <EmptyState
          icon="plot"
          title={
            fields.metric === ''
              ? t('metric.choose')
              : t('metric.missing', { metric: fields.metric, service })
          }
        >
          {t('metric.note')}
        </EmptyState>
      )}
    </Panel>
  );
}

interface OneMetricProps extends MetricPanelProps {
  readonly metric: MetricSeries;
}

function OneMetric({ metric, service, window, cursor, fields }: OneMetricProps) {
  const { t, format } = useMetricsText();
  const agg = fields.agg === 'auto' ? usualAgg(metric.type) : fields.agg;
  return (
    <Resource
      query={useQuery(seriesQuery({ service, name: metric.name, agg }, window))}
      skeleton={{ lines: 1, lineRem: 14 }}
    >
      {({ series, total, step_s: step }) => {
        const drawn = drawnSeries(series);
        return (
          <>
            {metric.help && (
              <Note lang="en">{t('metric.kind', { type: metric.type, help: metric.help })}</Note>
            )}
            <TimeChart
              title={`${metric.name}, ${agg}`}
              series={drawn}
              range={{ from: window.from, to: window.to, stepMs: step * 1000 }}
              write={(value) => writeUnit(format, agg === 'count' ? null : metric.unit, value)}
              cursor={cursor}
              sentences={
                total > drawn.length ? [t('metric.more', { shown: drawn.length, total })] : []
              }
            />
          </>
        );
      }}
    </Resource>
  );
}

/** More curves than this are not distinguishable. */
const CURVES = 6;

const USUAL: Readonly<Record<MetricType, Aggregation>> = {
  counter: 'rate',
  gauge: 'avg',
  untyped: 'avg',
  histogram: 'p95',
  summary: 'p95',
};

/** The API's default aggregation. */
const usualAgg = (type: MetricType): Aggregation => USUAL[type];

const namesIn = (series: readonly MetricSeries[]): string[] =>
  [...new Set(series.map(({ name }) => name))].toSorted();

/** The series with the highest values, named by their labels without the service. */
function drawnSeries(series: readonly MetricSeries[]): TimeSeriesData[] {
  return series
    .map((one) => ({
      name: nameOf(one),
      points: one.points.map(([at, value]) => [at * 1000, value] as const),
      highest: one.points.reduce((high, [, value]) => Math.max(high, value ?? high), -Infinity),
    }))
    .toSorted((a, b) => b.highest - a.highest)
    .slice(0, CURVES)
    .map(({ name, points }) => ({ name, points }));
}

function nameOf({ name, labels }: MetricSeries): string {
  const words = Object.entries(labels).filter(([label]) => label !== 'service');
  return words.length === 0 ? name : words.map(([label, value]) => `${label}=${value}`).join(' ');
}

/** Formats seconds: 3.2 ms, 1.4 s. */
export function writeSeconds({ number }: Format, seconds: number): string {
  if (seconds === 0) return '0 s';
  if (Math.abs(seconds) < 0.001) return `${number(seconds * 1e6)} µs`;
  return Math.abs(seconds) < 1 ? `${number(seconds * 1000)} ms` : `${number(seconds)} s`;
}

/** Formats a value with the unit of its metric. */
function writeUnit(format: Format, unit: string | null, value: number): string {
  if (unit === 'seconds') return writeSeconds(format, value);
  if (unit === 'bytes') return format.bytes(value);
  return unit === null || unit === '' ? format.number(value) : `${format.number(value)} ${unit}`;
}
