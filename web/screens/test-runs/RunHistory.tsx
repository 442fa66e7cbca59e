import type { TestRun } from '../../../edge/test-runs/contract/test-run.ts';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { RunBadge } from './RunBadge.tsx';
import { startedBy, tookWords } from './run-words.ts';
import { type TestRunsText, useTestRunsText } from './words/en-test-runs.ts';

interface RunHistoryProps {
  readonly runs: readonly TestRun[];
  readonly onOpen: (runId: string) => void;
}

/** Stored runs, latest first. */
export function RunHistory({ runs, onOpen }: RunHistoryProps) {
  const text = useTestRunsText();
  const title = text.t('runs.title');
  return (
    <Panel title={title}>
      {runs.length === 0 ? (
        <p>{text.t('runs.none')}</p>
      ) : (
        <Table
          caption={title}
          columns={columnsOf(text, onOpen)}
          rows={runs}
          rowKey={({ run_id: id }) => id}
          height="limited"
        />
      )}
    </Panel>
  );
}

function columnsOf(
  text: TestRunsText,
  onOpen: RunHistoryProps['onOpen'],
): readonly Column<TestRun>[] {
  const { t, format } = text;
  const counted = (what: 'passed' | 'failed' | 'skipped'): Column<TestRun> => ({
    key: what,
    title: t(`column.${what}`),
    align: 'end',
    cell: ({ summary }) => (summary ? format.integer(summary[what]) : '–'),
  });
  return [
    {
      key: 'run',
      title: t('column.run'),
      cell: ({ run_id: id, started_at: at }) => (
        <LinkButton onClick={() => onOpen(id)}>
          {t('runs.open', { time: format.dateTime(new Date(at)) })}
        </LinkButton>
      ),
    },
    { key: 'type', title: t('column.type'), cell: ({ test_type: type }) => t(`type.${type}`) },
    {
      key: 'status',
      title: t('column.status'),
      cell: ({ status }) => <RunBadge status={status} />,
    },
    counted('passed'),
    counted('failed'),
    counted('skipped'),
    { key: 'took', title: t('column.took'), align: 'end', cell: (run) => tookWords(text, run) },
    { key: 'by', title: t('column.by'), cell: (run) => startedBy(text, run.started_by) },
  ];
}
