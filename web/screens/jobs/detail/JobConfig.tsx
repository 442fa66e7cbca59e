import type { JobRecord } from '../../../../edge/training/contract/job.ts';
import { column } from '../../../records/columns.ts';
import { flatten, writeValue } from '../../../records/flatten.ts';
import { Stack } from '../../../ui/Layout.tsx';
import { type Column, Table } from '../../../ui/Table.tsx';
import { type JobsText, useJobsText } from '../words/en-jobs.ts';
import css from './Job.module.css';

interface ConfigRow {
  readonly field: string;
  readonly submitted: string | undefined;
  readonly effective: string | undefined;
}

/** The submitted and the effective configuration, field by field. */
export function JobConfig({ job }: { readonly job: JobRecord }) {
  const text = useJobsText();
  const { t } = text;
  const rest = Object.entries(restOf(job)).flatMap(([field, value]) => flatten(value, field));
  return (
    <Stack>
      <Table
        caption={t('config.title')}
        columns={configColumns(text)}
        rows={rowsOf(job)}
        rowKey={({ field }) => field}
      />
      <Table
        caption={t('config.request')}
        columns={restColumns(text)}
        rows={rest}
        rowKey={([field]) => field}
      />
    </Stack>
  );
}

const configColumns = ({ t }: JobsText): readonly Column<ConfigRow>[] => [
  column(t('config.field'), ({ field }) => <code>{field}</code>),
  column(t('config.submitted'), ({ submitted }) => written(submitted)),
  column(t('config.effective'), ({ effective }) => written(effective)),
];

const restColumns = ({ t }: JobsText): readonly Column<readonly [string, string]>[] => [
  column(t('config.field'), ([field]) => <code>{field}</code>),
  column(t('config.value'), ([, value]) => written(value)),
];

function rowsOf({ submitted, effective }: JobRecord): readonly ConfigRow[] {
  const requested = new Map(flatten(submitted, ''));
  const done = new Map(flatten(effective ?? {}, ''));
  const fields = [...new Set([...requested.keys(), ...done.keys()])];
  return fields.map((field) => ({
    field,
    submitted: requested.get(field),
    effective: done.get(field),
  }));
}

const restOf = (job: JobRecord) => ({
  dataset_path: job.dataset_path,
  kind: job.kind,
  priority: job.priority,
  replicas: job.replicas,
  ...(job.distributed && { distributed: job.distributed }),
  requirements: job.requirements,
  metadata: job.metadata,
});

const written = (value: string | undefined) => (
  <span className={css['message']}>{value ?? writeValue(null)}</span>
);
