import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type JobRecord, TERMINAL } from '../../../../edge/training/contract/job.ts';
import { jobsQuery } from '../../../api/training.ts';
import { CommandBox, trainerCommand } from '../../../app/CommandBox.tsx';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Note } from '../../../ui/Layout.tsx';
import { InfiniteList } from '../../../ui/Resource.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { CancelDialog } from '../CancelDialog.tsx';
import {
  type ChangeJobFields,
  type JobFields,
  MAX_COMPARED,
  NO_FILTERS,
  searchOf,
} from '../job-fields.ts';
import css from '../Jobs.module.css';
import { useJobsText } from '../words/en-jobs.ts';
import { JobTable } from './JobTable.tsx';

/** Debounce of requests while typing. */
const TYPING_MS = 250;

interface JobResultsProps {
  readonly fields: JobFields;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onChange: ChangeJobFields;
  readonly onNew: () => void;
}

/** The jobs that match the filters, and the actions on the selected ones. */
export function JobResults(props: JobResultsProps) {
  const { fields, onChange, onNew } = props;
  const { t } = useJobsText();
  const search = searchOf(useSettled(fields, TYPING_MS));
  const isFiltered = Object.keys(search).length > 0;
  return (
    <InfiniteList
      query={useInfiniteQuery({ ...jobsQuery(search), placeholderData: keepPreviousData })}
      skeleton={{ lines: 8, lineRem: 4 }}
      itemsOf={(page) => page.jobs}
      empty={
        isFiltered ? <NoMatch onClear={() => onChange(NO_FILTERS)} /> : <NoJobs onNew={onNew} />
      }
      summary={(shown, { total }) => t('jobs.shown', { shown, count: total })}
      more={t('jobs.more')}
    >
      {(jobs) => <FoundJobs {...props} jobs={jobs} />}
    </InfiniteList>
  );
}

interface FoundJobsProps extends JobResultsProps {
  readonly jobs: readonly JobRecord[];
}

function FoundJobs({ jobs, selected, onSelect, onChange }: FoundJobsProps) {
  const [cancelled, setCancelled] = useState<readonly JobRecord[]>();
  return (
    <>
      <Selection
        jobs={jobs.filter(({ job_id }) => selected.has(job_id))}
        onCompare={(compare) => onChange({ compare })}
        onCancel={setCancelled}
      />
      <JobTable jobs={jobs} selected={selected} onSelect={onSelect} />
      {cancelled && <CancelDialog jobs={cancelled} onClose={() => setCancelled(undefined)} />}
    </>
  );
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  const { t } = useJobsText();
  return (
    <EmptyState
      icon="search"
      title={t('jobs.noMatch')}
      action={<Button onClick={onClear}>{t('filter.clear')}</Button>}
    >
      {t('jobs.noMatchHelp')}
    </EmptyState>
  );
}

/** How to train a first model. */
function NoJobs({ onNew }: { readonly onNew: () => void }) {
  const { t } = useJobsText();
  return (
    <EmptyState
      icon="jobs"
      title={t('none.title')}
      action={
        <Button tone="primary" icon="add" onClick={onNew}>
          {t('jobs.new')}
        </Button>
      }
    >
      <p>{t('none.help')}</p>
      <CommandBox command={trainerCommand(location.origin)} copy={t('none.copy')} />
      <p>
        <Link href="/trainers">{t('none.lend')}</Link>
      </p>
    </EmptyState>
  );
}

interface SelectionProps {
  readonly jobs: readonly JobRecord[];
  readonly onCompare: (ids: string) => void;
  readonly onCancel: (jobs: readonly JobRecord[]) => void;
}

/** The actions on the selected jobs. */
function Selection({ jobs, onCompare, onCancel }: SelectionProps) {
  const { t } = useJobsText();
  const live = jobs.filter(({ status }) => !TERMINAL.has(status) && status !== 'cancelling');
  const canCompare = jobs.length >= 2 && jobs.length <= MAX_COMPARED;
  return (
    <div className={css['selection']}>
      <Note as="output">
        {jobs.length === 0
          ? t('select.none', { most: MAX_COMPARED })
          : t('select.some', { count: jobs.length })}
      </Note>
      <Button
        icon="plot"
        disabled={!canCompare}
        onClick={() => onCompare(jobs.map(({ job_id }) => job_id).join(','))}
      >
        {t('select.compare')}
      </Button>
      <Button icon="stop" disabled={live.length === 0} onClick={() => onCancel(live)}>
        {t('select.cancel')}
      </Button>
    </div>
  );
}
