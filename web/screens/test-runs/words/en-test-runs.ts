import { createScreenText, type ScreenText } from '../../../i18n/screen-text.ts';
import { jaTestRuns } from './ja-test-runs.ts';

/** What the screen of test runs says in English, beside the words of the shell. */
export const enTestRuns = {
  'lead.running': 'Tests are running.',
  'lead.idle': 'No tests have run here yet.',
  'lead.last': 'No tests are running. The last run: {outcome}.',
  'lead.off': 'Running tests is switched off here.',
  'lead.asking': "This project's own tests, run on the machine of the platform.",

  'off.title': 'Running tests is switched off',
  'off.help':
    'Tests run programs on the machine of the platform, so somebody has to allow it there. Start the platform with:',
  'off.copy': 'Copy the command',
  'off.scope':
    'Whoever starts a run needs the scope test:run, and admin as well when asking from another machine.',

  'start.title': 'Run tests',
  'start.note':
    'One run at a time, at most six an hour. A run that takes longer than its limit is ended with all of its processes.',
  'start.type': 'Which tests',
  'start.do': 'Run',
  'start.busy': 'Running …',
  'start.keys': 'Keys and audit',
  'start.scope':
    'A run needs a key with the scope test:run, at this machine too. The first key of the platform has it (bootstrap-key in its state folder) and can make others with it. Sign in with such a key here:',
  'start.said': 'The tests have started.',
  'type.unit': 'Unit',
  'type.integration': 'Integration',
  'type.all': 'All',
  'about.unit': 'The parts alone: the engine and the page.',
  'about.integration':
    'Several processes together: services that find, kill and follow each other.',
  'about.all':
    'Every test: the engine and the page, the edge, Node, pages in a browser, one after the other.',
  'limit.fresh': 'Ended after {limit} s. Not run here yet.',
  'limit.took': 'Ended after {limit} s. The last one took {took} s.',
  'limit.tight':
    'Ended after {limit} s. The last one took {took} s: it may not fit. What ran until then counts.',
  'limit.late':
    'Ended after {limit} s, and so was the last one: it will hardly fit. What ran until then counts.',
  'limit.more': 'Whoever starts the platform gives it more time:',

  'status.running': 'Running',
  'status.passed': 'Passed',
  'status.failed': 'Failed',
  'status.timeout': 'Timed out',

  'runs.title': 'The last runs',
  'runs.none': 'None yet. What is run is kept here with its output.',
  'runs.open': 'Run of {time}',
  'column.run': 'Run',
  'column.type': 'Tests',
  'column.status': 'Status',
  'column.passed': 'Passed',
  'column.failed': 'Failed',
  'column.skipped': 'Skipped',
  'column.took': 'Took',
  'column.by': 'Started by',
  'runs.seconds': '{s} s',

  'run.title': 'Run {id}',
  'run.close': 'Close this run',
  'run.code': 'Exit code',
  'run.started': 'Started',
  'run.message': 'Outcome',
  'by.anonymous': 'Nobody in particular',
  'by.local': 'This machine',
  'by.key': 'Key {id}',
  'by.token': 'Token {id}',
  'by.session': 'Key {id}, signed in',

  'output.title': 'Output of the run',
  'output.none': 'No output yet.',
  'output.empty': 'The run has written nothing.',
  'output.cut': 'The beginning was longer than what is kept and is not shown.',
  'output.end': 'Only the end is shown here; the file has all that is kept.',
  'output.follow': 'Follow',
  'output.download': 'Download',
  'link.connecting': 'Connecting',
  'link.live': 'Live',
  'link.lost': 'Reconnecting',
  'link.over': 'Ended',
  'link.refused': 'Not available',
} as const;

export type TestRunsText = ScreenText<typeof enTestRuns>;

/** Everything that is written on the screen of test runs. */
export const useTestRunsText = createScreenText<typeof enTestRuns>({
  en: enTestRuns,
  ja: jaTestRuns,
});
