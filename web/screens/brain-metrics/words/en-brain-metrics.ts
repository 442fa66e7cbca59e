import { createScreenText } from '../../../i18n/screen-text.ts';
import { jaBrainMetrics } from './ja-brain-metrics.ts';

/** The words of the brain metrics screen in English. */
export const enBrainMetrics = {
  'brain.lead':
    'Clients that follow the log of the distributed brain, and messages that were dropped.',
  'values.title': 'Now',
  'values.note': 'Counted since the log was first used. Updated every 5 seconds.',
  connected_clients: 'Connected clients',
  broadcast_drops: 'Messages dropped for slow clients',
  persist_drops: 'Messages not stored or shared',
  send_timeouts: 'Clients disconnected after a timeout',
  last_update: 'Last change',
  'graphs.clients': 'Connected clients over time',
  'graphs.growth': 'Drops in 5 seconds',
} as const;

export const useBrainMetricsText = createScreenText<typeof enBrainMetrics>({
  en: enBrainMetrics,
  ja: jaBrainMetrics,
});
