import { createScreenText, type ScreenText } from '../../../i18n/screen-text.ts';
import { jaLogs } from './ja-logs.ts';

/** What the log screen says in English, beside the words of the shell. */
export const enLogs = {
  'logs.lead': 'What the nodes of the distributed brain and the services say, as they say it.',

  'bar.region': 'What is shown',
  'bar.level': 'Level',
  'bar.source': 'Source',
  'bar.node': 'Node type',
  'bar.names': 'Several with commas between.',
  'bar.find': 'Find',
  'bar.mode': 'How it is searched',
  'bar.text': 'Text',
  'bar.regex': 'Regex',
  'bar.wrong': 'This is not a regular expression.',
  'level.all': 'All',
  'level.debug': 'debug and worse',
  'level.info': 'info and worse',
  'level.warn': 'warn and worse',
  'level.error': 'error and worse',
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
    one: '{count} message did not come: number {from}',
    other: '{count} messages did not come: numbers {from} to {to}',
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
  'detail.id': 'Id',
  'detail.data': 'Data',

  'none.title': 'No lines yet',
  'none.help': 'They appear here as soon as something is said. The command line can say something:',
  'none.copy': 'Copy the command',
  'none.found': 'No line matches',
  'none.foundHelp': 'New lines are searched as they come.',
} as const;

export type LogsText = ScreenText<typeof enLogs>;

/** Everything that is written on the log screen. */
export const useLogsText = createScreenText<typeof enLogs>({ en: enLogs, ja: jaLogs });
