import { createScreenText, type ScreenText } from '../../../i18n/screen-text.ts';
import { jaSweeps } from './ja-sweeps.ts';

/** English texts of the screen of sweeps, in addition to those of the shell. */
export const enSweeps = {
  'sweeps.lead':
    'Many runs that differ in some fields, over the job queue; the best is registered.',
  'sweeps.list': 'Sweeps',
  'sweeps.note': 'Found among the 500 newest jobs, by their labels.',
  'sweeps.all': 'All sweeps',
  'sweeps.new': 'New sweep',
  'sweeps.none': 'No sweep yet',
  'sweeps.noneHelp':
    'A command drives a sweep; any trainer and shared tab takes its jobs. “New sweep” writes the file that the command reads.',
  'sweeps.unknown': 'No such sweep',
  'sweeps.unknownHelp': 'None of the 500 newest jobs belongs to it.',
  'sweeps.sweep': 'Sweep',
  'sweeps.state': 'State',
  'sweeps.live': { one: '{count} job in progress', other: '{count} jobs in progress' },
  'sweeps.idle': 'Nothing in progress',
  'sweeps.method': 'Method',
  'sweeps.metric': 'Metric',
  'sweeps.runs': 'Runs',
  'sweeps.runsOf': '{begun} of {total}',
  'sweeps.best': 'Best',
  'sweeps.begun': 'Begun',
  'method.grid': 'Grid',
  'method.random': 'Random search',
  'method.asha': 'Successive halving (ASHA)',

  'best.title': 'Best run',
  'best.none': 'No run has succeeded yet.',
  'best.model': 'Registered as',
  'best.later': 'Once all runs have ended',

  'parallel.panel': 'Fields and results',
  'parallel.title': 'Parallel coordinates',
  'parallel.note':
    'Each line is a run, stronger the better its {metric}; the best one is orange, and runs without a value are dashed.',
  'parallel.best': 'Best: {run}.',
  'parallel.run': 'run {run}: {values}',
  'parallel.keys': 'Point at a line to read it, or use the arrow keys; Enter opens its job.',

  'runs.title': 'Runs',
  'runs.run': 'Run',
  'runs.steps': 'Steps',
  'runs.rung': 'Rung',
  'runs.state': 'State',
  'status.queued': 'Queued',
  'status.validating': 'Preparing',
  'status.running': 'Running',
  'status.recovering': 'Recovering',
  'status.cancelling': 'Cancelling',
  'status.succeeded': 'Succeeded',
  'status.failed': 'Failed',
  'status.cancelled': 'Cancelled',

  'new.lead':
    'This writes the file of a sweep. The command below drives it, on a machine that may be stopped: the same command resumes.',
  'new.name': 'Name',
  'new.nameHint': 'Lowercase letters, digits, . _ -',
  'new.dataset': 'Dataset',
  'new.datasetHint': 'datasets/NAME, or a file beside the sweep’s',
  'new.family': 'Model family',
  'new.runs': 'Runs',
  'new.steps': 'Steps of a run',
  'new.firstSteps': 'Steps of the first rung',
  'new.parallel': 'Jobs at a time',
  'new.search': 'Searched fields (JSON)',
  'new.searchHint': 'Lists of values, or ranges: from, to, scale (linear, log), whole, points',
  'new.fixed': 'Fixed fields (JSON)',
  'new.fixedHint': 'The same in all runs; the platform chooses the rest',
  'new.noObject': 'Expected a JSON object: names of fields, each with its value',
  'new.save': 'Save the file',
  'new.saved': '{file} saved',
  'new.copy': 'Copy the command',
} as const;

export type SweepsText = ScreenText<typeof enSweeps>;

/** Everything that is written on the screen of sweeps. */
export const useSweepsText = createScreenText<typeof enSweeps>({ en: enSweeps, ja: jaSweeps });
