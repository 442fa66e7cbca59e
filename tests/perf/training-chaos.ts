import { availableParallelism } from 'node:os';
import { percentile } from './open-loop.ts';
import { randomSource } from '../engine/random.ts';
import { chaosTrials, type Outcome, type Trial, undisturbed } from './chaos-jobs.ts';
import { type Cast, startCast, type Victim } from './chaos-processes.ts';
import { type Gap, openJobs } from './chaos-results.ts';
import { note, report } from './report.ts';
import { minutesAskedFor, seedAskedFor } from './wanted.ts';

/**
 * Bar 18, its half of training: twenty small jobs on three trainers, and every few seconds a process
 * chosen by a seed is killed with SIGKILL and started again. Each job has to end, once, with the very
 * digits of a run that nobody disturbed.
 *
 *   npm run bench -- --only 18
 *   node tests/perf/training-chaos.ts --minutes 1 --seed 7
 */
const TRAINERS = 3;
const JOBS = 20;
const MINUTES = minutesAskedFor ?? 5;
/** Steps that tell how fast this machine is now. */
const TRIAL_STEPS = 400;
/** Seconds between two kills. */
const SOONEST_S = 3;
const LATEST_S = 7;
/** The time limit of the jobs once no process is killed any more. */
const PATIENCE_MS = 10 * 60_000;
const LOOK_MS = 1000;
const GOES_ON_WITHIN_S = 15;

const cast = await startCast(TRAINERS);
const jobs = openJobs(cast.gateway);
try {
  const trials = chaosTrials('moby-dick.txt', await stepsOfJob());
  const expected: Outcome[] = [];
  for (const trial of trials) expected.push(await runUndisturbed(trial));
  const ids: string[] = [];
  for (let i = 0; i < JOBS; i++) {
    ids.push(await jobs.submit(trials[i % trials.length]!, `chaos-run-${i}`));
  }
  const since = performance.now();
  const kills = await killAtRandom(cast, () => jobs.areOver(ids));
  await waitUntil(() => jobs.areOver(ids));
  const seconds = (performance.now() - since) / 1000;
  note(`${kills.length} kills; what there was to train was done after ${seconds.toFixed(0)} s`);
  await reportJobs(ids, expected, kills);
} finally {
  await cast.close();
}
process.exit(0);

/** So many that the trainers are busy for as long as there is killing, at the speed of today. */
async function stepsOfJob(): Promise<number> {
  const since = performance.now();
  const trials = chaosTrials('moby-dick.txt', TRIAL_STEPS);
  for (const trial of trials) await undisturbed(trial, cast.text);
  const perSecond = (trials.length * TRIAL_STEPS * 1000) / (performance.now() - since);
  const atOnce = Math.min(TRAINERS, availableParallelism());
  const steps = Math.round((atOnce * perSecond * 60 * MINUTES) / JOBS);
  note(
    `${perSecond.toFixed(0)} steps a second, ${atOnce} jobs at once: ${JOBS} jobs of ${steps} steps`,
  );
  return steps;
}

async function runUndisturbed(trial: Trial): Promise<Outcome> {
  const since = performance.now();
  const outcome = await undisturbed(trial, cast.text);
  const seconds = (performance.now() - since) / 1000;
  note(`${trial.name}, undisturbed: loss ${outcome.validLoss} after ${seconds.toFixed(1)} s`);
  return outcome;
}

interface Kill {
  readonly victim: Victim;
  readonly at: string;
}

/** Kills until its time is over, or the jobs are. */
async function killAtRandom(
  { victims, kill }: Cast,
  isOver: () => Promise<boolean>,
): Promise<readonly Kill[]> {
  note(`kills for ${MINUTES} minutes with the seed ${seedAskedFor}`);
  const chance = randomSource(seedAskedFor);
  const deadline = performance.now() + MINUTES * 60_000;
  const kills: Kill[] = [];
  while (performance.now() < deadline && !(await isOver())) {
    await pause(1000 * chance.uniform(SOONEST_S, LATEST_S));
    const victim = victims[chance.integers(1, victims.length)[0]!]!;
    const isKilled = kill(victim);
    note(isKilled ? `SIGKILL to ${nameOf(victim)}` : `no ${nameOf(victim)} to kill`);
    if (isKilled) kills.push({ victim, at: new Date().toISOString() });
  }
  return kills;
}

function nameOf(victim: Victim): string {
  return 'number' in victim ? `${victim.kind} ${victim.number}` : victim.kind;
}

async function waitUntil(isOver: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline && !(await isOver())) await pause(LOOK_MS);
}

async function reportJobs(
  ids: readonly string[],
  expected: readonly Outcome[],
  kills: readonly Kill[],
): Promise<void> {
  let right = 0;
  const gaps: Gap[] = [];
  for (const [i, id] of ids.entries()) {
    const job = await jobs.read(id);
    const faults = await jobs.faults(job, expected[i % expected.length]!);
    if (faults.length === 0) right++;
    gaps.push(...(await jobs.gaps(job)));
    const attempts = job.attempts.map(({ outcome }) => outcome).join(', ');
    note([`${job.model_name}: ${attempts}`, ...faults].join('; '));
  }
  report({
    bar: 18,
    name: `of ${ids.length} jobs, those that ended once and with the digits of an undisturbed run, after ${kills.length} kills`,
    value: right,
    unit: 'jobs',
    target: ids.length,
    better: 'higher',
  });
  reportGaps(gaps, kills);
}

/**
 * Bar 18 is about one process that is killed. Where the platform was killed as well before the job
 * went on, leases get their time anew; and waiting until another trainer is free is no fault of a
 * kill: both are reported, and not counted.
 */
function reportGaps(gaps: readonly Gap[], kills: readonly Kill[]): void {
  const outages = kills.filter(({ victim }) => !('number' in victim));
  const isAlone = ({ from, to }: Gap) => !outages.some(({ at }) => at >= from && at <= to);
  const alone = gaps.filter(isAlone);
  const others = gaps.filter((gap) => !isAlone(gap));
  note(`waits for a free trainer: ${spread(gaps.map(({ waited }) => waited))}`);
  note(`gaps in which the platform was killed, too: ${spread(others.map(silence))}`);
  note(`the other gaps: ${spread(alone.map(silence))}`);
  for (const [which, share] of [
    ['p50', 0.5],
    ['longest', 1],
  ] as const) {
    report({
      bar: 18,
      name: `from the last heartbeat of a job that lost its process or its trainer until it is trained again, ${which} of ${alone.length}`,
      value: percentile(alone.map(silence), share),
      unit: 's',
      target: GOES_ON_WITHIN_S,
      better: 'lower',
    });
  }
}

function silence({ noticed, resumed }: Gap): number {
  return noticed + resumed;
}

function spread(seconds: readonly number[]): string {
  const sorted = seconds.toSorted((a, b) => a - b).map((value) => value.toFixed(1));
  return `${sorted.length}: ${sorted.join(', ')} s`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
