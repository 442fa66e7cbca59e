import { createScreenText, type ScreenText } from '../../../i18n/screen-text.ts';
import { jaBrain } from './ja-brain.ts';

export const enBrain = {
  'brain.lead': {
    one: '{active} of {count} node is active.',
    other: '{active} of {count} nodes are active.',
  },
  'brain.asking': 'The nodes of the distributed brain and the routes between them.',
  'none.title': 'No nodes yet',
  'none.help': 'They appear here on their own. Start a PFC first, then a module that answers:',
  'none.copy': 'Copy the command',

  'status.active': 'Active',
  'status.inactive': 'Inactive',
  'status.error': 'Error',

  'graph.title': 'Nodes and routes',
  'graph.nodes': 'Nodes, choose with the arrow keys',
  'graph.node': '{node}, {status}, health {health}, {type} in {region}',
  'graph.sentence': {
    one: '{up} of {count} route is up.',
    other: '{up} of {count} routes are up.',
  },
  'graph.up': 'Up',
  'graph.fallback': 'Fallback',
  'graph.down': 'Down',
  'graph.lit': 'Used by a question',
  'graph.nowhere': 'no region',

  'column.node': 'Node',
  'column.type': 'Type',
  'column.region': 'Region',
  'column.status': 'Status',
  'column.health': 'Health',

  'node.close': 'Close',
  'node.gone': 'There is no such node: it has left, or the link is wrong.',
  'node.host': 'Host',
  'node.seen': 'Last seen',
  'node.phi': 'Suspicion level (phi)',
  'node.cpu': 'CPU usage',
  'node.memory': 'Memory usage',
  'node.disk': 'Disk usage',
  'node.more': 'All metadata',
  'node.health': 'Health over time',

  'ask.title': 'Ask the brain',
  'ask.note': 'The PFC routes it to the best module; the route lights up above.',
  'ask.text': 'Question',
  'ask.target': 'Target module',
  'ask.fits': 'chosen by the PFC',
  'ask.do': 'Ask',
  'ask.by': '{node} ({type}) answered in {ms} ms.',
  'ask.class': '{label} ({share})',

  'tab.title': 'Node in this tab',
  'tab.note': 'It answers questions for others while this page is open.',
  'tab.type': 'Type of the node',
  'tab.model': 'Model',
  'tab.noModel': 'There is no model of this kind in the registry yet.',
  'tab.region': 'Region of the node',
  'tab.start': 'Run a node in this tab',
  'tab.stop': 'Stop the node',
  'tab.starting': 'Starting',
  'tab.on': 'Running',
  'tab.leaving': 'Leaving',
  'tab.node': 'Node',
  'tab.answered': 'Questions answered',

  'routes.title': 'Recent routes',
  'routes.none': 'No question yet.',
  'routes.took': '{from} → {to}',
  'routes.nobody': 'nobody',
  'routes.ms': '{ms} ms',
  'column.when': 'When',
  'column.way': 'Route',
  'column.target': 'Target',
  'column.why': 'Why',
  'column.took': 'Duration',
  'column.result': 'Result',
  'result.answered': 'Answered',
  'result.refused': 'Refused',
  'result.silent': 'No response',
} as const;

export type BrainText = ScreenText<typeof enBrain>;

export const useBrainText = createScreenText<typeof enBrain>({ en: enBrain, ja: jaBrain });
