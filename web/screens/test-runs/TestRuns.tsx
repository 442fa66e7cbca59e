import { useQuery } from '@tanstack/react-query';
import { type TestStatus, TestType } from '../../../edge/test-runs/contract/test-run.ts';
import { testRunsQuery, testStatusQuery } from '../../api/test-runs.ts';
import { CommandBox } from '../../app/CommandBox.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Opened } from '../../ui/Opened.tsx';
import { Resource, ResourceScreen } from '../../ui/Resource.tsx';
import { oneOf, text as textField } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { Note } from '../../ui/Layout.tsx';
import { RunHistory } from './RunHistory.tsx';
import { RunPanel } from './RunPanel.tsx';
import { StartPanel } from './StartPanel.tsx';
import { type TestRunsText, useTestRunsText } from './words/en-test-runs.ts';

const FIELDS = { type: oneOf('unit', TestType.options), run: textField('', 64) };

/** This project's own tests: started where that is allowed, followed as they run, and looked up later. */
export function TestRuns() {
  const text = useTestRunsText();
  const query = useQuery(testStatusQuery);
  return (
    <ResourceScreen
      lead={leadOf(text, query.data)}
      query={query}
      skeleton={{ lines: 2, lineRem: 10 }}
    >
      {(status) => <Allowed status={status} />}
    </ResourceScreen>
  );
}

function leadOf({ t }: TestRunsText, status: TestStatus | undefined): string {
  if (!status) return t('lead.asking');
  switch (status.status) {
    case 'disabled':
      return t('lead.off');
    case 'idle':
    case 'running':
      return t(`lead.${status.status}`);
    default:
      return t('lead.last', { outcome: t(`status.${status.status}`) });
  }
}

function Allowed({
  status: { status, current_run: current, types },
}: {
  readonly status: TestStatus;
}) {
  const [{ type, run: runId }, change] = useUrlState(FIELDS);
  const query = useQuery(testRunsQuery);
  return (
    <>
      {status === 'disabled' ? (
        <SwitchedOff />
      ) : (
        <StartPanel
          type={type}
          facts={types.find(({ test_type: of }) => of === type)}
          isRunning={current !== null}
          onType={(to) => change({ type: to })}
          onStarted={(run) => change({ run })}
        />
      )}
      {runId !== '' && (
        <Opened key={runId}>
          <RunPanel
            runId={runId}
            run={query.data?.find(({ run_id: id }) => id === runId)}
            onClose={() => change({ run: '' })}
          />
        </Opened>
      )}
      <Resource query={query} skeleton={{ lines: 1, lineRem: 8 }}>
        {(runs) => <RunHistory runs={runs} onOpen={(run) => change({ run })} />}
      </Resource>
    </>
  );
}

function SwitchedOff() {
  const { t } = useTestRunsText();
  return (
    <EmptyState
      icon="tests"
      title={t('off.title')}
      action={<CommandBox command="ENABLE_TEST_ENDPOINT=1 npm start" copy={t('off.copy')} />}
    >
      <p>{t('off.help')}</p>
      <Note>{t('off.scope')}</Note>
    </EmptyState>
  );
}
