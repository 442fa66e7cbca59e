/** What the screen of the brain's metrics says in English, beside the words of the shell. */
export const enBrainMetrics = {
  'brain.lead': 'Who follows the log of the distributed brain, and what did not arrive.',
  'values.title': 'Now',
  'values.note': 'Counted since the log was first used, and asked for every 5 seconds.',
  connected_clients: 'Connected clients',
  broadcast_drops: 'Messages dropped for slow clients',
  persist_drops: 'Messages not kept or shared',
  send_timeouts: 'Clients closed for not answering',
  last_update: 'Last change',
  'graphs.clients': 'Connected clients over time',
  'graphs.growth': 'Losses in 5 seconds',
} as const;
