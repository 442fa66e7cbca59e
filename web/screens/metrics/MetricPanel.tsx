import { useQuery } from '@tanstack/react-query';
import { Aggregation, type MetricSeries } from '../../../edge/monitoring/contract/metrics-query.ts';
import { catalogueQuery, seriesQuery, type MetricWindow } from '../../api/monitoring.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { TimeChart } from '../../widgets/time-chart/TimeChart.tsx';
import type { TimeCursor } from '../../widgets/time-chart/TimePlot.tsx';
import type { ChangeMetricFields, MetricFields } from './metric-window.ts';
import css from './Metrics.module.css';
import { useMetricsText } from './metrics-text.ts';
import { drawnSeries, namesIn, usualAgg } from './metric-series.ts';
import { writeUnit } from './units.ts';

export interface MetricPanelProps {
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
          icon="metrics"
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
  const query = useQuery(seriesQuery({ service, name: metric.name, agg }, window));
  const { data, error, refetch } = query;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={1} lineRem={14} />;
  const drawn = drawnSeries(data.series);
  return (
    <>
      {metric.help && (
        <p className={css['updated']} lang="en">
          {t('metric.kind', { type: metric.type, help: metric.help })}
        </p>
      )}
      <TimeChart
        title={`${metric.name}, ${agg}`}
        series={drawn}
        range={{ from: window.from, to: window.to, stepMs: data.step_s * 1000 }}
        write={(value) => writeUnit(format, agg === 'count' ? null : metric.unit, value)}
        cursor={cursor}
        sentences={
          data.total > drawn.length
            ? [t('metric.more', { shown: drawn.length, total: data.total })]
            : []
        }
      />
    </>
  );
}
