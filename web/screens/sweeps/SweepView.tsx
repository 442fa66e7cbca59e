import { Link } from 'wouter';
import type { JobStatus } from '../../../edge/training/contract/job.ts';
import type { ParallelValue } from '../../../engine/pictures.ts';
import { column } from '../../records/columns.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Note, Stack } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { ParallelRuns } from './ParallelRuns.tsx';
import type { Sweep, SweepRun } from './sweep-runs.ts';
import { type SweepsText, useSweepsText } from './words/en-sweeps.ts';

const TONES: Readonly<Record<JobStatus, BadgeTone>> = {
  queued: 'neutral',
  validating: 'neutral',
  running: 'good',
  recovering: 'warn',
  cancelling: 'warn',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

/** One sweep: its best run, all runs as parallel coordinates, and as a table. */
export function SweepView({ sweep }: { readonly sweep: Sweep }) {
  const text = useSweepsText();
  const { t } = text;
  const { runs, metric } = sweep;
  return (
    <>
      <Panel title={t('best.title')}>
        <BestRun sweep={sweep} />
      </Panel>
      <Panel title={t('parallel.panel')} note={t('parallel.note', { metric })}>
        <ParallelRuns sweep={sweep} />
      </Panel>
      <Panel title={t('runs.title')}>
        <Table
          caption={t('runs.title')}
          columns={columnsOf(text, sweep)}
          rows={runs}
          rowKey={({ run }) => run}
        />
      </Panel>
    </>
  );
}

function BestRun({ sweep }: { readonly sweep: Sweep }) {
  const { t, format } = useSweepsText();
  const { runs, search, metric, output, live, total } = sweep;
  const [best] = runs;
  if (!best || best.value === null) return <Note>{t('best.none')}</Note>;
  const values = search.map((name, field) => ({
    label: name,
    value: wordOf(format, best.values[field] ?? null),
  }));
  const isOver = live === 0 && runs.length === total;
  return (
    <Facts
      facts={[
        { label: t('runs.run'), value: <RunLink run={best} /> },
        { label: metric, value: format.number(best.value) },
        ...values,
        {
          label: t('best.model'),
          value: isOver ? (
            <Link href={`/models/${encodeURIComponent(output)}`}>{output}</Link>
          ) : (
            t('best.later')
          ),
        },
      ]}
    />
  );
}

const RunLink = ({ run: { run, job } }: { readonly run: SweepRun }) => (
  <Link href={`/jobs/${encodeURIComponent(job.job_id)}`}>{String(run)}</Link>
);

const wordOf = (format: SweepsText['format'], value: ParallelValue): string =>
  typeof value === 'number' ? format.number(value) : String(value ?? '–');

function columnsOf(text: SweepsText, sweep: Sweep): readonly Column<SweepRun>[] {
  const { t, format } = text;
  const { search, metric, method } = sweep;
  const fields = search.map((name, field): Column<SweepRun> => ({
    key: name,
    title: name,
    align: 'end',
    sortBy: ({ values }) => sortable(values[field] ?? null),
    cell: ({ values }) => wordOf(format, values[field] ?? null),
  }));
  const number = (title: string, of: (run: SweepRun) => number | null): Column<SweepRun> => ({
    key: title,
    title,
    align: 'end',
    sortBy: of,
    cell: (run) => wordOf(format, of(run)),
  });
  return [
    {
      key: 'run',
      title: t('runs.run'),
      sortBy: ({ run }) => run,
      cell: (run) => <RunLink run={run} />,
    },
    number(metric, ({ value }) => value),
    ...fields,
    number(t('runs.steps'), ({ steps }) => steps),
    ...(method === 'asha' ? [number(t('runs.rung'), ({ rung }) => rung)] : []),
    column(t('runs.state'), ({ job }) => <State job={job} />),
  ];
}

const sortable = (value: ParallelValue): string | number | null =>
  typeof value === 'boolean' ? String(value) : value;

/** The state of a run's job, and the service's reason where it failed, in English. */
function State({ job: { status, error } }: Pick<SweepRun, 'job'>) {
  const { t } = useSweepsText();
  return (
    <Stack as="span" gap={1} align="flex-start">
      <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>
      {error && (
        <Note as="span" lang="en">
          {error.message}
        </Note>
      )}
    </Stack>
  );
}
