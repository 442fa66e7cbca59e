import { useQuery } from '@tanstack/react-query';
import { TRAINER_SCOPES } from '../../../edge/contract/scope.ts';
import { trainersQuery } from '../../api/training.ts';
import { CommandBox, trainerCommand } from '../../app/CommandBox.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { LendTab } from './LendTab.tsx';
import { TrainerTable } from './TrainerTable.tsx';
import { useTrainersText } from './words/en-trainers.ts';

/** The machines and tabs that train jobs, and how to add one. */
export function Trainers() {
  const { t } = useTrainersText();
  return (
    <Screen lead={t('trainers.lead')} width="wide">
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
  return (
    <Resource
      query={useQuery(trainersQuery)}
      skeleton={{ lines: 4, lineRem: 3.5 }}
      stale="reported"
      isEmpty={({ length }) => length === 0}
      empty={
        <EmptyState icon="trainers" title={t('trainers.none')}>
          {t('trainers.noneHelp')}
        </EmptyState>
      }
    >
      {(trainers) => <TrainerTable trainers={trainers} />}
    </Resource>
  );
}
