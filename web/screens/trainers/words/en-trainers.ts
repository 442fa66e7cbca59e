import { createScreenText, type ScreenText } from '../../../i18n/screen-text.ts';
import { jaTrainers } from './ja-trainers.ts';

/** English texts of the trainer screen, in addition to those of the shell. */
export const enTrainers = {
  'trainers.lead':
    'Machines and browser tabs that train jobs. They fetch work themselves, so they can be behind a firewall.',
  'trainers.list': 'Trainers',
  'trainers.none': 'No trainer yet',
  'trainers.noneHelp':
    'Jobs wait until there is one. Run the command above on a machine, or share this tab.',
  'trainers.name': 'Trainer',
  'trainers.status': 'State',
  'trainers.device': 'Device',
  'trainers.memory': 'Memory free',
  'trainers.freeOf': '{free} of {total}',
  'trainers.load': 'Load',
  'trainers.jobs': 'Current jobs',
  'trainers.done': 'Jobs',
  'trainers.doneOf': '{succeeded} done, {failed} failed',
  'trainers.seen': 'Last seen',
  'trainers.actions': 'Actions',
  'kind.node': 'Machine',
  'kind.tab': 'Browser tab',
  'status.idle': 'Idle',
  'status.busy': 'Training',
  'status.draining': 'Draining',
  'status.lost': 'Lost',

  'drain.do': 'Drain',
  'drain.of': 'Drain {name}',
  'drain.end': 'End draining',
  'drain.endOf': 'End draining {name}',
  'drain.begun': '{name} accepts no new jobs',
  'drain.ended': '{name} accepts jobs again',

  'start.title': 'Add a machine',
  'start.note':
    'Runs in a checkout of spikegrid, with the datasets below the folder data. Where the gateway asks for keys, set SPIKEGRID_KEY to one with the scopes {scopes}.',
  'start.copy': 'Copy the command',

  'lend.title': 'This tab',
  'lend.note':
    'A tab trains as a machine does, on its GPU or CPU, and continues while you view other screens or tabs.',
  'lend.toggle': 'Share this tab',
  'lend.off': 'This tab is not sharing its compute.',
  'lend.connecting': 'Connecting',
  'lend.connectingHelp': 'Registering this tab with the platform.',
  'lend.idle': 'Idle',
  'lend.idleHelp': 'Waiting for a suitable job.',
  'lend.training': 'Training',
  'lend.trainingHelp': 'Turn it off to release the job with a checkpoint.',
  'lend.stopping': 'Stopping',
  'lend.stoppingHelp': 'Writing a checkpoint so that another trainer can resume.',
  'lend.stopped': 'Stopped',
  'lend.stoppedHelp': 'This tab is no longer a trainer.',
  'lend.progress': 'step {step}, {share}',
  'lend.loss': 'loss {loss}',
  'phase.validating': 'Preparing',
  'phase.running': 'Training',
  'phase.ending': 'Finishing',
} as const;

export type TrainersText = ScreenText<typeof enTrainers>;

/** Everything that is written on the screen of trainers. */
export const useTrainersText = createScreenText<typeof enTrainers>({
  en: enTrainers,
  ja: jaTrainers,
});
