import { useQuery } from '@tanstack/react-query';
import { TRAINER_SCOPES } from '../../../edge/contract/scope.ts';
import { trainersQuery } from '../../api/training.ts';
import { CommandBox, trainerCommand } from '../../app/CommandBox.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { LendTab } from './LendTab.tsx';
import { TrainerTable } from './TrainerTable.tsx';
import { useTrainersText } from './trainers-text.ts';

/** The machines and tabs that train jobs, and how to add one. */
export function Trainers() {
  const { t } = useTrainersText();
  return (
    <Screen title={t('screen.trainers')} lead={t('trainers.lead')} width="wide">
      <LendTab />
      <Panel title={t('start.title')} note={t('start.note', { scopes: TRAINER_SCOPES.join(', ') })}>
        <CommandBox command={trainerCommand(location.origin)} copy={t('start.copy')} />
      </Panel>
      <Panel title={t('trainers.list')}>
        <TrainerList />
      </Panel>
    </Screen>
  );
}

function TrainerList() {
  const { t } = useTrainersText();
  const { data, error, refetch } = useQuery(trainersQuery);
  if (!data) {
    if (!error) return <Skeleton lines={4} lineRem={3.5} />;
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      {data.length === 0 ? (
        <EmptyState icon="trainers" title={t('trainers.none')}>
          {t('trainers.noneHelp')}
        </EmptyState>
      ) : (
        <TrainerTable trainers={data} />
      )}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
    </>
  );
}
