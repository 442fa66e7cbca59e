import { Link } from 'wouter';
import { CommandBox, trainerCommand } from '../../../app/CommandBox.tsx';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { useJobsText } from '../jobs-text.ts';

/** Says how to get from nothing to a trained model. */
export function NoJobs({ onNew }: { readonly onNew: () => void }) {
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
