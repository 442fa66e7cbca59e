import { createScreenText, type ScreenText } from '../../../i18n/screen-text.ts';
import { jaOverview } from './ja-overview.ts';

/** English texts of the overview. */
export const enOverview = {
  'overview.allPassing': {
    one: '{count} of {count} service is passing.',
    other: '{count} of {count} services are passing.',
  },
  'overview.somePassing': {
    one: '{passing} of {count} service is passing; {failing} needs attention.',
    other: '{passing} of {count} services are passing; check {failing}.',
  },
  'overview.noServices': 'No service is registered.',
  'overview.asking': 'Checking the gateway …',
  'overview.unreachable': 'The gateway cannot be reached, so the state of the services is unknown.',
  'overview.readouts': 'At a glance',
  'overview.passing': 'Services passing',
  'overview.passingOf': '{passing} / {total}',
  'overview.modelCount': 'Models registered',
  'overview.uptime': 'Gateway uptime',
  'overview.gatewayVersion': 'Gateway version',
  'overview.services': 'Services',
  'overview.checked': 'Checked {ago}',
  'overview.processDown': '{name} is down: {exit}, next attempt in {seconds} s.',
  'overview.processDownNow': '{name} is down: {exit}. Restarting.',
  'process.title': 'Processes of this platform',
  'process.note': 'Processes that the launcher runs on its machine. It restarts those that exit.',
  'process.name': 'Process',
  'process.running': 'Running',
  'process.down': 'Down',
  'process.downFor': 'Down, next attempt in {seconds} s',
  'process.restarts': 'Restarts',
  'process.lastExit': 'Last exit',
  'overview.openLab': 'Open the training lab',

  'neuron.title': 'One neuron',
  'neuron.note':
    'A leaky integrate-and-fire neuron, computed in this tab: each step retains part of the membrane potential, adds the input current, and spikes above the threshold.',
  'neuron.potential': 'Membrane potential',
  'neuron.current': 'Input current',
  'neuron.tau': 'Time constant',
  'neuron.tauValue': '{tau} ms',
  'neuron.play': 'Run',
  'neuron.pause': 'Pause',
} as const;

export type OverviewText = ScreenText<typeof enOverview>;

/** Everything that the overview says, in the page's language. */
export const useOverviewText = createScreenText<typeof enOverview>({
  en: enOverview,
  ja: jaOverview,
});
