import { basename, dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { isTransient, retry } from '../../trainer/index.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { jsonText, REPORT, writeWhole } from '../runs/run-files.ts';
import { driveSweep } from '../sweep/drive.ts';
import { type Journal, RESULTS } from '../sweep/journal.ts';
import { openSweep } from '../sweep/open-sweep.ts';
import { registerBest } from '../sweep/register-best.ts';
import { sweepPage } from '../sweep/report.ts';
import { resultsOf, resultsText, type SweepResults } from '../sweep/results.ts';
import { type PlacedSweep, readSweepFile, type SweepPlan } from '../sweep/sweep-plan.ts';
import { pushByContent } from './datasets.ts';
import { atGateway, type GatewayOptions, openGateway } from './gateway-access.ts';
import { isLocalFile } from './jobs-options.ts';
import { createSweepBar, jobsUnderWay, type SweepBar } from './sweep-bar.ts';
import { openTraining } from './training-access.ts';
import { writeLine } from './write-line.ts';

interface SweepOptions extends GatewayOptions {
  readonly out?: string;
  readonly resume?: true;
  readonly json?: true;
}

const POLL_MS = 1000;

/** Exit codes: of a sweep whose best run is registered, of one without, and of one that was stopped. */
const CODES = { done: 0, none: 1, stopped: 2 } as const;

export function sweepCommand(): Command {
  return atGateway(new Command('sweep'), ['train', 'registry:read', 'registry:write'])
    .argument('<file>', 'what is searched, as JSON: docs/design/sweeps.md describes it')
    .option('--out <dir>', 'folder of the journal and the results (default: FILE.sweep beside it)')
    .option('--resume', 'refuse to begin: there has to be a journal already')
    .option('--json', 'print the results as JSON')
    .addHelpText(
      'after',
      '\nThe same command resumes a sweep that was stopped or killed; jobs go on meanwhile.\n' +
        'Exit code 0: every run has ended and the best is registered, 1: no run has succeeded, 2: stopped.',
    )
    .action(sweep);
}

async function sweep(path: string, options: SweepOptions): Promise<void> {
  const plan = await readSweepFile(path);
  const folder = options.out ?? join(dirname(path), `${stemOf(path)}.sweep`);
  using opened = await openSweep(plan, {
    folder,
    mustResume: options.resume === true,
    placeDataset: () => placeDataset(plan, path, options),
  });
  const { journal, isResumed } = opened;
  const { runs, rungs } = plan.schedule;
  const what = rungs > 1 ? `${runs} runs on ${rungs} rungs` : `${runs} runs`;
  console.error(`${opened.sweep.id}: ${what}, ${isResumed ? 'resumed' : 'begun'} in ${folder}`);
  const isOver = await drive(opened.sweep, journal, options);
  const results = resultsOf(opened.sweep, journal.state());
  await writeResults(folder, results);
  if (!isOver) {
    const jobs = jobsUnderWay(journal.state());
    console.error(`stopped: ${jobs} under way, which trainers finish; the same command resumes`);
    process.exitCode = CODES.stopped;
    return;
  }
  await writeLine(options.json ? JSON.stringify(results) : resultsText(results));
  sayBest(results, folder);
}

const stemOf = (path: string): string => basename(resolve(path), '.json');

/** A local dataset lies beside the file, and is uploaded under a name that its content decides. */
async function placeDataset(
  { file: { dataset } }: SweepPlan,
  path: string,
  options: GatewayOptions,
): Promise<string | undefined> {
  if (dataset === undefined) return undefined;
  const local = resolve(dirname(path), dataset);
  if (dataset.startsWith('datasets/') || !isLocalFile(local)) return dataset;
  return `datasets/${(await pushByContent(local, options)).name}`;
}

/** Returns false where it was asked to stop before the end. */
async function drive(
  placed: PlacedSweep,
  journal: Journal,
  options: GatewayOptions,
): Promise<boolean> {
  const stop = new AbortController();
  const offSignals = onStopSignal(() => stop.abort());
  const bar = createSweepBar(placed);
  const onFailure = failureTeller(bar);
  try {
    await driveSweep(placed, journal, {
      http: openTraining(options),
      signal: stop.signal,
      pollMs: POLL_MS,
      onLook: (jobs) => bar.looked(journal.state(), jobs),
      onFailure,
    });
    bar.looked(journal.state(), []);
    await register(placed, journal, { ...options, signal: stop.signal, onFailure });
    return true;
  } catch (error) {
    if (stop.signal.aborted) return false;
    throw error;
  } finally {
    bar.stop();
    offSignals();
  }
}

interface RegisterOptions extends GatewayOptions {
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}

async function register(
  placed: PlacedSweep,
  journal: Journal,
  { signal, onFailure, ...options }: RegisterOptions,
): Promise<void> {
  if (journal.state().registered) return;
  const { base, headers } = openGateway(options);
  const registry = createRegistryClient({ base: `${base}/registry`, headers });
  const attempt = () => registerBest(placed, journal.state(), registry);
  const model = await retry(attempt, { signal, onFailure });
  if (model) await journal.append({ kind: 'registered', ...model });
}

/** A platform that is away for a while is named once, and not at each attempt. */
function failureTeller(bar: SweepBar): (error: unknown) => void {
  let last = '';
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason === last || !isTransient(error)) return;
    last = reason;
    bar.say(`${reason}; trying again`);
  };
}

async function writeResults(folder: string, results: SweepResults): Promise<void> {
  await writeWhole(join(folder, RESULTS), jsonText(results));
  await writeWhole(join(folder, REPORT), sweepPage(results));
}

function sayBest({ best, registered, runs }: SweepResults, folder: string): void {
  if (best === null || !registered) {
    const failed = runs.find(({ reason }) => reason !== '');
    console.error(`no run has succeeded${failed ? `; run ${failed.run}: ${failed.reason}` : ''}`);
    process.exitCode = CODES.none;
    return;
  }
  const { model_id: id, version } = registered;
  console.error(`run ${best} is the best, registered as ${id} ${version}; ${join(folder, REPORT)}`);
  process.exitCode = CODES.done;
}
