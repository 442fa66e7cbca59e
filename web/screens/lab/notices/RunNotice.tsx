import { useEffect } from 'react';
import { familyDescriptions } from '../../../../engine/index.ts';
import type { RunState } from '../../../lab/run-machine.ts';
import { Button } from '../../../ui/Button.tsx';
import { failureWords } from '../failure-words.ts';
import { useLabText } from '../lab-text.ts';
import { useRunControls } from '../run/use-run.ts';
import { pageLab, useLab } from '../lab-store.ts';
import { useGeneration } from '../generation/use-generation.ts';
import { Notice } from './Notice.tsx';
import { VerdictLines } from './VerdictLines.tsx';

/** Interruptions of the run, and how to proceed. */
export function RunNotice() {
  const run = useLab((state) => state.run);
  if (run.status === 'loaded') return <LoadedNotice run={run} />;
  if (run.status === 'failed' || run.status === 'lost') return <EndedNotice run={run} />;
  return null;
}

/** Result of a run whose budget is spent, and a button to train for as long again. */
export function FinishedNotice() {
  const { t } = useLabText();
  const { proceed } = useRunControls();
  const verdict = useLab(({ validation }) => validation?.verdict);
  useFirstWords();
  return (
    <Notice
      tone={verdict?.isBeaten === false ? 'warn' : 'info'}
      title={t('run.finishedTitle')}
      actions={
        <Button tone="primary" icon="play" onClick={proceed}>
          {t('run.continue')}
        </Button>
      }
    >
      {verdict && <VerdictLines verdict={verdict} />}
    </Notice>
  );
}

/** Lets a model that has never written do so: the run ends in words, where its family has any. */
function useFirstWords(): void {
  const { canWrite, write } = useGeneration();
  const isDue = useLab(
    ({ run, writing }) => writing.status === 'idle' && 'run' in run && run.run.writes,
  );
  useEffect(() => {
    if (isDue && canWrite) write();
  }, [isDue, canWrite, write]);
}

function LoadedNotice({ run }: { readonly run: Extract<RunState, { status: 'loaded' }> }) {
  const { t } = useLabText();
  const { step, data, settings } = run.checkpoint;
  const chosen = useLab(({ data: open }) => {
    if (open.status !== 'open') return 'run.loadedMissing';
    return open.facts.digest === data.sha256 ? 'run.loadedFrom' : 'run.loadedOther';
  });
  return (
    <Notice
      tone={chosen === 'run.loadedOther' ? 'warn' : 'info'}
      title={t(chosen, { step, name: data.name })}
    >
      {familyDescriptions[settings.architecture].category === 'LangText' && (
        <p>{t('run.loadedWrites')}</p>
      )}
    </Notice>
  );
}

interface EndedNoticeProps {
  readonly run: Extract<RunState, { status: 'failed' | 'lost' }>;
}

function EndedNotice({ run }: EndedNoticeProps) {
  const text = useLabText();
  const { t } = text;
  const { train, canTrain } = useRunControls();
  const { failure, checkpointStep, status } = run;
  const { title, detail } = failureWords(failure, text);
  const hasDiverged = failure.kind === 'engine' && failure.code === 'diverged';
  return (
    <Notice
      tone="bad"
      title={t(status === 'lost' ? 'run.lostTitle' : 'run.failedTitle')}
      actions={
        <>
          {checkpointStep !== null && (
            <Button tone="primary" disabled={!canTrain} onClick={train}>
              {t('run.goOn', { step: checkpointStep })}
            </Button>
          )}
          <Button onClick={() => pageLab().reset()}>{t('run.startOver')}</Button>
        </>
      }
    >
      {status === 'failed' && <p>{title}</p>}
      {detail && <p lang="en">{detail}</p>}
      {status === 'lost' && (
        <p>
          {checkpointStep === null
            ? t('run.lostNothing')
            : t('run.lostBody', { step: checkpointStep })}
        </p>
      )}
      {hasDiverged && <p>{t('run.lowerRate')}</p>}
    </Notice>
  );
}
