import { Link } from 'wouter';
import type { JobState, TrainerState } from '../../../trainer/trainer-state.ts';
import { type SharedTrainerState } from '../../trainer-tab/shared-trainer.ts';
import { pageSharedTrainer, useSharedTrainer } from '../../trainer-tab/shared-trainer-store.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { useTrainersText } from './words/en-trainers.ts';
import { Note, Row, Stack } from '../../ui/Layout.tsx';

/** Makes this tab a trainer, and says what it does for others now. */
export function LendTab() {
  const { t } = useTrainersText();
  const state = useSharedTrainer();
  const isOn = state.status === 'on';
  return (
    <Panel
      title={t('lend.title')}
      note={t('lend.note')}
      actions={
        <Toggle
          state={isOn ? 'on' : 'off'}
          onToggle={(wanted) =>
            wanted === 'on' ? pageSharedTrainer().start() : pageSharedTrainer().stop()
          }
        >
          {t('lend.toggle')}
        </Toggle>
      }
    >
      <Stack gap={3} style={{ minHeight: '2.5rem' }} aria-live="polite">
        <Lent state={state} />
      </Stack>
    </Panel>
  );
}

function Lent({ state }: { readonly state: SharedTrainerState }) {
  const { t } = useTrainersText();
  if (state.status === 'off') return <Note>{t('lend.off')}</Note>;
  if (state.status === 'failed') {
    return <ErrorState error={state.error} onRetry={() => pageSharedTrainer().start()} />;
  }
  const { trainer, status } = state;
  const shown = status === 'stopping' ? 'stopping' : trainer.status;
  return (
    <>
      <Row as="p" gap={[2, 4]}>
        <Badge tone={TONES[shown]}>{t(`lend.${shown}`)}</Badge>
        <Note as="span">{t(`lend.${shown}Help`)}</Note>
      </Row>
      {trainer.status === 'connecting' && trainer.reason !== undefined && (
        <Note lang="en">{trainer.reason}</Note>
      )}
      {trainer.status === 'training' && <Doing job={trainer.job} />}
    </>
  );
}

const TONES: Readonly<Record<TrainerState['status'] | 'stopping', BadgeTone>> = {
  connecting: 'warn',
  idle: 'neutral',
  training: 'good',
  stopped: 'neutral',
  stopping: 'warn',
};

function Doing({ job }: { readonly job: JobState }) {
  const { t, format } = useTrainersText();
  const { jobId, modelName, progress, loss, message } = job;
  const share = format.percent(progress.percent / 100);
  const words = t('lend.progress', { step: progress.step, share });
  return (
    <Stack gap={2}>
      <Row as="p" gap={[2, 4]}>
        <Link href={`/jobs/${encodeURIComponent(jobId)}`}>{modelName}</Link>
        <span>{t(`phase.${job.phase}`)}</span>
        <span>{words}</span>
        {loss !== null && <span>{t('lend.loss', { loss })}</span>}
      </Row>
      <ProgressBar label={modelName} fraction={progress.percent / 100} valueText={words} />
      {message !== undefined && <Note lang="en">{message}</Note>}
    </Stack>
  );
}
