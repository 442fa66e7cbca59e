import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { MetricPoint } from '../../../edge/training/contract/job-event.ts';
import type { JobRecord } from '../../../edge/training/contract/job.ts';
import { curvesQuery, jobQuery } from '../../api/training.ts';
import { column } from '../../records/columns.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { joinQueries, ResourceScreen } from '../../ui/Resource.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { TimeSeries } from '../../widgets/time-series/TimeSeries.tsx';
import detail from './detail/Job.module.css';
import type { ChangeJobFields } from './job-fields.ts';
import {
  type Compared,
  COMPARED,
  type ConfigDifference,
  configDifferences,
  overlay,
} from './overlay.ts';
import { useJobsText } from './words/en-jobs.ts';

/** Refetch interval of the curves of running jobs. */
const CURVES_EVERY_MS = 5_000;

interface CompareJobsProps {
  readonly ids: readonly string[];
  readonly onChange: ChangeJobFields;
}

/** Several jobs side by side: their curves overlaid and the configuration fields that differ. */
export function CompareJobs({ ids, onChange }: CompareJobsProps) {
  const { t } = useJobsText();
  const jobs = useQueries({ queries: ids.map(jobQuery) });
  const curves = useQueries({
    queries: ids.map((id, index) => ({
      ...curvesQuery(id),
      refetchInterval: jobs[index]?.data?.finished_at === null ? CURVES_EVERY_MS : (false as const),
    })),
  });
  const actions = (
    <Button icon="previous" onClick={() => onChange({ compare: '' })}>
      {t('job.back')}
    </Button>
  );
  return (
    <ResourceScreen
      title={t('compare.title', { count: ids.length })}
      lead={t('compare.lead')}
      actions={actions}
      width="wide"
      query={joinQueries(joinQueries(...jobs), joinQueries(...curves))}
      skeleton={{ lines: 6, lineRem: 4 }}
    >
      {([compared, points]) => <Comparison jobs={compared} curves={points} />}
    </ResourceScreen>
  );
}

interface ComparisonProps {
  readonly jobs: readonly JobRecord[];
  readonly curves: readonly (readonly MetricPoint[])[];
}

function Comparison({ jobs, curves }: ComparisonProps) {
  const [x, readAt] = useState<number | null>(null);
  const names = jobs.map(({ model_name, job_id }) => `${model_name} …${job_id.slice(-6)}`);
  return (
    <>
      <div className={detail['charts']}>
        {COMPARED.map((measure) => (
          <Overlay
            key={measure}
            measure={measure}
            curves={curves}
            names={names}
            cursor={{ x, readAt }}
          />
        ))}
      </div>
      <Differences jobs={jobs} names={names} />
    </>
  );
}

interface OverlayProps {
  readonly measure: Compared;
  readonly curves: ComparisonProps['curves'];
  readonly names: readonly string[];
  readonly cursor: { readonly x: number | null; readonly readAt: (x: number | null) => void };
}

function Overlay({ measure, curves, names, cursor }: OverlayProps) {
  const { t } = useJobsText();
  // By element: the array is a new one with every rendering.
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the curves themselves stay the same
  const buffer = useMemo(() => overlay(curves, measure), [measure, ...curves]);
  return (
    <TimeSeries
      title={t(`compare.${measure}`)}
      buffer={buffer}
      series={names}
      axis={t('curve.axis')}
      gaps="join"
      cursor={cursor}
    />
  );
}

interface DifferencesProps {
  readonly jobs: readonly JobRecord[];
  readonly names: readonly string[];
}

function Differences({ jobs, names }: DifferencesProps) {
  const { t } = useJobsText();
  const rows = configDifferences(jobs);
  return (
    <Panel title={t('compare.config')} note={t('compare.configNote')}>
      {jobs.map(({ job_id }, index) => (
        <Link key={job_id} href={`/jobs/${encodeURIComponent(job_id)}`}>
          {names[index] ?? job_id}
        </Link>
      ))}
      {rows.length === 0 ? (
        <EmptyState icon="check" title={t('compare.same')}>
          {t('compare.sameHelp')}
        </EmptyState>
      ) : (
        <Table
          caption={t('compare.config')}
          columns={differenceColumns(t('config.field'), names)}
          rows={rows}
          rowKey={({ field }) => field}
        />
      )}
    </Panel>
  );
}

const differenceColumns = (
  field: string,
  names: readonly string[],
): readonly Column<ConfigDifference>[] => [
  column(field, (row) => <code>{row.field}</code>),
  ...names.map((title, index) =>
    column(title, ({ values }: ConfigDifference) => (
      <span className={detail['message']}>{values[index] ?? '–'}</span>
    )),
  ),
];
