import type { JobRecord } from '../../../../edge/training/contract/job.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { useJobsText } from '../jobs-text.ts';

/** How the members of a job that several train at once come together. */
export function Rounds({ job }: { readonly job: JobRecord }) {
  const { t, format } = useJobsText();
  const { rounds, distributed, replicas } = job;
  if (!rounds || !distributed) {
    return <EmptyState title={t('round.none')}>{t('round.noneHelp')}</EmptyState>;
  }
  const { bytes_sent: sent, bytes_float32: whole } = rounds;
  const facts = [
    [t('round.now'), format.integer(rounds.round)],
    [t('round.members'), t('round.membersOf', { members: rounds.members, replicas })],
    [
      t('round.contributed'),
      t('round.membersOf', { members: rounds.contributed, replicas: rounds.members }),
    ],
    [t('round.sent'), format.bytes(sent)],
    [
      t('round.float32'),
      whole === 0
        ? '–'
        : t('round.share', { size: format.bytes(whole), share: format.percent(sent / whole) }),
    ],
    [t('field.local_steps'), format.integer(distributed.local_steps)],
    [t('round.quantisation'), distributed.quantisation],
    [t('round.straggler'), t('attempt.seconds', { seconds: distributed.straggler_timeout_s })],
  ] as const;
  return <Facts facts={facts.map(([label, value]) => ({ label, value }))} />;
}
