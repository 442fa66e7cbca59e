import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { TestType, type TestTypeFacts } from '../../../edge/test-runs/contract/test-run.ts';
import { startTests, TEST_RUNS_KEY } from '../../api/test-runs.ts';
import { CommandBox } from '../../app/CommandBox.tsx';
import { useServices } from '../../app/services.ts';
import { useSession } from '../../app/session.ts';
import { SignInForm } from '../../app/sign-in/SignInForm.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Note, Row } from '../../ui/Layout.tsx';
import { fitOf } from './run-words.ts';
import { useTestRunsText } from './words/en-test-runs.ts';

interface StartPanelProps {
  readonly type: TestType;
  /** Facts about the type; undefined where the test host reports none. */
  readonly facts: TestTypeFacts | undefined;
  readonly isRunning: boolean;
  readonly onType: (type: TestType) => void;
  readonly onStarted: (runId: string) => void;
}

/** Which tests, and a button that runs them; a field for a key where one's own rights are not enough. */
export function StartPanel(props: StartPanelProps) {
  const { t } = useTestRunsText();
  const session = useSession();
  return (
    <Panel title={t('start.title')} note={t('start.note')}>
      {session && !session.scopes.includes('test:run') ? <NeedsKey /> : <Start {...props} />}
    </Panel>
  );
}

function NeedsKey() {
  const { t } = useTestRunsText();
  return (
    <>
      <p>
        {t('start.scope')} <Link href="/keys">{t('start.keys')}</Link>
      </p>
      <SignInForm />
    </>
  );
}

function Start({ type, facts, isRunning, onType, onStarted }: StartPanelProps) {
  const { t } = useTestRunsText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: startTests,
    onSuccess(run) {
      toasts.show(t('start.said'), 'good');
      onStarted(run.run_id);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: TEST_RUNS_KEY }),
  });
  const isBusy = isRunning || start.isPending;
  return (
    <>
      <Row gap={[2, 3]}>
        <Segmented
          legend={t('start.type')}
          options={TestType.options.map((value) => ({ value, label: t(`type.${value}`) }))}
          value={type}
          onChange={onType}
        />
        <Button
          tone="primary"
          icon="play"
          state={isBusy ? 'blocked' : 'ready'}
          onClick={() => start.mutate(type)}
        >
          {t(isBusy ? 'start.busy' : 'start.do')}
        </Button>
        <Note as="span">{t(`about.${type}`)}</Note>
      </Row>
      {facts && <Limit facts={facts} />}
      {start.isError && <ErrorState error={start.error} />}
    </>
  );
}

/** After how long a run is ended, and whether the last one says that it will be. */
function Limit({ facts }: { readonly facts: TestTypeFacts }) {
  const { t, format } = useTestRunsText();
  const { test_type: type, time_limit_s: limit, last_duration_ms: took } = facts;
  const fit = fitOf(facts);
  const command = `ENABLE_TEST_ENDPOINT=1 TEST_TIME_LIMIT=${type}=1800 npm start`;
  return (
    <>
      <Note>
        {t(`limit.${fit}`, {
          limit: format.number(limit),
          took: format.number((took ?? 0) / 1000),
        })}
      </Note>
      {(fit === 'tight' || fit === 'late') && (
        <>
          <Note>{t('limit.more')}</Note>
          <CommandBox command={command} copy={t('off.copy')} />
        </>
      )}
    </>
  );
}
