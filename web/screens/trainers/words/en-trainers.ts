import { createScreenText, type ScreenText } from '../../../i18n/screen-text.ts';
import { jaTrainers } from './ja-trainers.ts';

/** What the screen of trainers says in English, beside the words of the shell. */
export const enTrainers = {
  'trainers.lead':
    'Machines and browser tabs that train jobs. They ask for work themselves, so they may sit behind any firewall.',
  'trainers.list': 'Trainers',
  'trainers.none': 'No trainer yet',
  'trainers.noneHelp':
    'Jobs wait until there is one. Run the command above on a machine, or lend this tab.',
  'trainers.name': 'Trainer',
  'trainers.status': 'State',
  'trainers.device': 'Device',
  'trainers.memory': 'Memory free',
  'trainers.freeOf': '{free} of {total}',
  'trainers.load': 'Load',
  'trainers.jobs': 'Trains now',
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
  'drain.begun': '{name} takes no further jobs',
  'drain.ended': '{name} takes jobs again',

  'start.title': 'Lend a machine',
  'start.note':
    'Runs in a checkout of spikegrid, with the datasets below the folder data. Where the gateway asks for keys, set SPIKEGRID_KEY to one with the scopes {scopes}.',
  'start.copy': 'Copy the command',

  'lend.title': 'This tab',
  'lend.note':
    'A tab trains as a machine does, on its GPU or its CPU. It goes on while you look at other screens or other tabs.',
  'lend.toggle': 'Lend this tab',
  'lend.off': 'This tab trains nothing for others.',
  'lend.connecting': 'Connecting',
  'lend.connectingHelp': 'Telling the platform that this tab is there.',
  'lend.idle': 'Idle',
  'lend.idleHelp': 'Waits for a job that fits.',
  'lend.training': 'Training',
  'lend.trainingHelp': 'Turn it off to give the job back with a checkpoint.',
  'lend.stopping': 'Stopping',
  'lend.stoppingHelp': 'Writes a checkpoint, so that another trainer can go on from there.',
  'lend.stopped': 'Stopped',
  'lend.stoppedHelp': 'This tab is no trainer any more.',
  'lend.progress': 'step {step}, {share}',
  'lend.loss': 'loss {loss}',
  'phase.validating': 'Preparing',
  'phase.running': 'Training',
  'phase.ending': 'Ending',
} as const;

export type TrainersText = ScreenText<typeof enTrainers>;

/** Everything that is written on the screen of trainers. */
export const useTrainersText = createScreenText<typeof enTrainers>({
  en: enTrainers,
  ja: jaTrainers,
});
