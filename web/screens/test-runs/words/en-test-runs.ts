import { createScreenText, type ScreenText } from '../../../i18n/screen-text.ts';
import { jaTestRuns } from './ja-test-runs.ts';

/** English texts of the test run screen, in addition to those of the shell. */
export const enTestRuns = {
  'lead.running': 'Tests are running.',
  'lead.idle': 'No tests have run here yet.',
  'lead.last': 'No tests are running. The last run: {outcome}.',
  'lead.off': 'Test runs are disabled here.',
  'lead.asking': "This project's own tests, run on the machine of the platform.",

  'off.title': 'Test runs are disabled',
  'off.help':
    'Tests run programs on the machine of the platform, so they must be enabled there. Start the platform with:',
  'off.copy': 'Copy the command',
  'off.scope':
    'Starting a run requires the test:run scope and, from another machine, admin as well.',

  'start.title': 'Run tests',
  'start.note':
    'One run at a time, at most six per hour. A run that exceeds its limit is ended with all of its processes.',
  'start.type': 'Test suite',
  'start.do': 'Run',
  'start.busy': 'Running …',
  'start.keys': 'Keys and audit',
  'start.scope':
    'A run needs a key with the scope test:run, at this machine too. The first key of the platform has it (bootstrap-key in its state folder) and can make others with it. Sign in with such a key here:',
  'start.said': 'The tests have started.',
  'type.unit': 'Unit',
  'type.integration': 'Integration',
  'type.all': 'All',
  'about.unit': 'Unit tests of the engine and the dashboard.',
  'about.integration': 'Tests across several processes, crashes included.',
  'about.all':
    'Every test: the engine and the page, the edge, Node, pages in a browser, one after the other.',
  'limit.fresh': 'Ended after {limit} s. Not run here yet.',
  'limit.took': 'Ended after {limit} s. The last run took {took} s.',
  'limit.tight':
    'Ended after {limit} s. The last run took {took} s: it may not finish. Results so far count.',
  'limit.late':
    'Ended after {limit} s, as was the last run: it is unlikely to finish. Results so far count.',
  'limit.more': 'To raise the limit, start the platform with:',

  'status.running': 'Running',
  'status.passed': 'Passed',
  'status.failed': 'Failed',
  'status.timeout': 'Timed out',

  'runs.title': 'Recent runs',
  'runs.none': 'No runs yet. Runs are stored here with their output.',
  'runs.open': 'Run of {time}',
  'column.run': 'Run',
  'column.type': 'Tests',
  'column.status': 'Status',
  'column.passed': 'Passed',
  'column.failed': 'Failed',
  'column.skipped': 'Skipped',
  'column.took': 'Duration',
  'column.by': 'Started by',
  'runs.seconds': '{s} s',

  'run.title': 'Run {id}',
  'run.close': 'Close this run',
  'run.code': 'Exit code',
  'run.started': 'Started',
  'run.message': 'Outcome',
  'by.anonymous': 'Anonymous',
  'by.local': 'This machine',
  'by.key': 'Key {id}',
  'by.token': 'Token {id}',
  'by.session': 'Key {id}, signed in',

  'output.title': 'Output of the run',
  'output.none': 'No output yet.',
  'output.empty': 'The run produced no output.',
  'output.cut': 'The beginning exceeded the storage limit and is not shown.',
  'output.end': 'Only the end is shown here; the file has all stored output.',
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
