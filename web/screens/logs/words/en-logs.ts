import { createScreenText, type ScreenText } from '../../../i18n/screen-text.ts';
import { jaLogs } from './ja-logs.ts';

/** English texts of the log screen, in addition to those of the shell. */
export const enLogs = {
  'logs.lead': 'Live logs of the services and of the nodes of the distributed brain.',

  'bar.region': 'Filters',
  'bar.level': 'Level',
  'bar.source': 'Source',
  'bar.node': 'Node type',
  'bar.names': 'Separate several with commas.',
  'bar.find': 'Find',
  'bar.mode': 'Search mode',
  'bar.text': 'Text',
  'bar.regex': 'Regex',
  'bar.wrong': 'This is not a regular expression.',
  'level.all': 'All',
  'level.debug': 'debug and above',
  'level.info': 'info and above',
  'level.warn': 'warn and above',
  'level.error': 'error and above',
  'level.critical': 'critical',

  'state.connecting': 'Connecting',
  'state.live': 'Live',
  'state.lost': 'Reconnecting',
  'state.closed': 'Ended',
  'tools.lines': { one: '{count} line', other: '{count} lines' },
  'tools.hits': { one: '{count} hit in {total} lines', other: '{count} hits in {total} lines' },
  'tools.follow': 'Follow',
  'tools.download': 'Download',

  'list.label': 'Log lines, choose with the arrow keys',
  'list.gap': {
    one: '{count} message lost: number {from}',
    other: '{count} messages lost: numbers {from} to {to}',
  },
  'list.hole': 'Messages may be missing: numbers {from} to {to}',

  'detail.title': 'Log line',
  'detail.copy': 'Copy as JSON',
  'detail.close': 'Close',
  'detail.level': 'Level',
  'detail.time': 'Time',
  'detail.source': 'Source',
  'detail.node': 'Node type',
  'detail.event': 'Event',
  'detail.trace': 'Trace',
  'detail.seq': 'Number',
  'detail.id': 'ID',
  'detail.data': 'Data',

  'none.title': 'No lines yet',
  'none.help': 'New log lines appear here. To write one from the command line:',
  'none.copy': 'Copy the command',
  'none.found': 'No line matches',
  'none.foundHelp': 'New lines are searched as they arrive.',
} as const;

export type LogsText = ScreenText<typeof enLogs>;

/** Everything that is written on the log screen. */
export const useLogsText = createScreenText<typeof enLogs>({ en: enLogs, ja: jaLogs });
