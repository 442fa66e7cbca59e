import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { newestJobsQuery } from '../../api/training.ts';
import { column, endColumn } from '../../records/columns.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { NewSweepDialog } from './NewSweepDialog.tsx';
import { FIELDS } from './sweep-fields.ts';
import { type Sweep, sweepsIn } from './sweep-runs.ts';
import { SweepView } from './SweepView.tsx';
import { type SweepsText, useSweepsText } from './words/en-sweeps.ts';

/** The sweeps that the labels of jobs tell, or the one that the address names. */
export function Sweeps() {
  const { t } = useSweepsText();
  const [{ sweep: id, form }, change] = useUrlState(FIELDS);
  const query = useQuery(newestJobsQuery);
  const jobs = query.data;
  const sweeps = useMemo(() => jobs && sweepsIn(jobs), [jobs]);
  const isOne = id !== '';
  return (
    <Screen
      lead={t('sweeps.lead')}
      width="wide"
      {...(isOne && { title: id })}
      actions={
        isOne ? (
          <Button icon="previous" onClick={() => change({ sweep: '' })}>
            {t('sweeps.all')}
          </Button>
        ) : (
          <Button tone="primary" icon="add" onClick={() => change({ form: 'open' })}>
            {t('sweeps.new')}
          </Button>
        )
      }
    >
      <Resource
        query={{ ...query, data: sweeps }}
        skeleton={{ lines: 6, lineRem: 4 }}
        stale="reported"
      >
        {(all) => (isOne ? <One sweeps={all} id={id} /> : <All sweeps={all} />)}
      </Resource>
      {form === 'open' && <NewSweepDialog onClose={() => change({ form: '' })} />}
    </Screen>
  );
}

function One({ sweeps, id }: { readonly sweeps: readonly Sweep[]; readonly id: string }) {
  const { t } = useSweepsText();
  const sweep = sweeps.find((one) => one.id === id);
  if (sweep) return <SweepView sweep={sweep} />;
  return (
    <EmptyState icon="search" title={t('sweeps.unknown')}>
      {t('sweeps.unknownHelp')}
    </EmptyState>
  );
}

function All({ sweeps }: { readonly sweeps: readonly Sweep[] }) {
  const text = useSweepsText();
  const { t } = text;
  return (
    <Panel title={t('sweeps.list')} note={t('sweeps.note')}>
      {sweeps.length === 0 ? (
        <EmptyState icon="table" title={t('sweeps.none')}>
          {t('sweeps.noneHelp')}
        </EmptyState>
      ) : (
        <Table
          caption={t('sweeps.list')}
          columns={columnsOf(text)}
          rows={sweeps}
          rowKey={({ id }) => id}
        />
      )}
    </Panel>
  );
}

const columnsOf = ({ t, format }: SweepsText): readonly Column<Sweep>[] => [
  column(t('sweeps.sweep'), ({ id }) => (
    <Link href={`/sweeps?sweep=${encodeURIComponent(id)}`}>{id}</Link>
  )),
  column(t('sweeps.state'), ({ live }) => (
    <Badge tone={live > 0 ? 'good' : 'neutral'}>
      {live > 0 ? t('sweeps.live', { count: live }) : t('sweeps.idle')}
    </Badge>
  )),
  column(t('sweeps.method'), ({ method }) => t(`method.${method}`)),
  endColumn(t('sweeps.runs'), ({ runs, total }) =>
    t('sweeps.runsOf', { begun: runs.length, total }),
  ),
  column(t('sweeps.metric'), ({ metric }) => <code>{metric}</code>),
  endColumn(t('sweeps.best'), ({ runs }) => {
    const value = runs[0]?.value ?? null;
    return value === null ? '–' : format.number(value);
  }),
  endColumn(t('sweeps.begun'), ({ begunAt }) => <RelativeTime time={begunAt} />),
];
