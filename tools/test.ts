import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addTotals, parsePlaywright, parseVitest, summaryOf, type Totals } from './test-totals.ts';

/**
 * Runs every test runner, each to its end, and prints one line of their sum.
 *
 *   npm test                   everything
 *   npm test -- engine lif     only vitest, filtered as vitest filters
 *   npm test -- e2e            only the browser tests
 *   npm run test:full          the long suites: *.full.test.ts, *.full.spec.ts, @full, tests/full
 *   npm run test:full -- fuzz  those of them that match, filtered as vitest filters; with e2e, of the browser
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'spikegrid-test-'));
const asked = process.argv.slice(2);
const isFull = asked[0] === '--full';
const filters = isFull ? asked.slice(1) : asked;

/** Processes of pages, of the edge and of compute each: more than there are cores, as each waits half of its time. */
const WORKERS = 2;

/** The edge, and what is quick: pages without a browser, readers of foreign bytes, components. */
const EDGE = ['engine', 'compute', 'answers', 'full'].map((project) => `--project=!${project}`);

/** A niceness that leaves others five sixths of a processor that both want. */
const GIVING = 7;

/** A signal meant for this process ends the tools as well. */
const running = new Set<ChildProcess>();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(1);
  });
}

const totals = addTotals(await (isFull ? runFull() : runAsked()));
rmSync(reports, { recursive: true });

console.log(summaryOf(totals));
process.exit(totals.failed.length === 0 && totals.passed > 0 ? 0 : 1);

function runAsked(): Promise<readonly Totals[]> {
  return filters.length === 0 ? runEverything() : runSome();
}

/** The files *.full.test.ts and *.full.spec.ts and the pages tagged @full, then tests/full, which measures and has the machine to itself. */
async function runFull(): Promise<readonly Totals[]> {
  process.env['SPIKEGRID_TESTS'] = 'full';
  if (filters.length > 0) return runSome();
  const first = await runEverything();
  process.env['SPIKEGRID_NETNS'] = '1';
  const alone = await runVitest('full', ['--project=full']);
  process.env['SPIKEGRID_TESTS'] = '';
  const apart = await runVitest('network', ['--project=compute', 'hybrid']);
  return [...first, alone, apart];
}

/**
 * All at once. Pages and services spend much of their time waiting and some of it against a clock,
 * kernels none: they take what the others leave of the processor, and all of it at the end.
 */
async function runEverything(): Promise<readonly Totals[]> {
  process.env['SPIKEGRID_ANSWERS'] = join(reports, 'answers');
  mkdirSync(join(reports, 'answers'));
  const all = await Promise.all([
    runVitest('engine', ['--project=engine'], { gives: true }),
    runVitest('compute', ['--project=compute', `--maxWorkers=${WORKERS}`], { shown: 'afterwards' }),
    // Most of these wait for a Worker, which waits for a clock.
    runVitest('edge', [...EDGE, `--maxWorkers=${WORKERS}`], { shown: 'afterwards' }),
    runPlaywright([`--workers=${WORKERS}`], { shown: 'afterwards' }),
  ]);
  // It looks at what the others were answered.
  return isFull ? all : [...all, await runVitest('answers', ['--project=answers'])];
}

async function runSome(): Promise<readonly Totals[]> {
  const isPages = filters.includes('e2e');
  const rest = filters.filter((filter) => filter !== 'e2e');
  return [
    await (isPages
      ? runPlaywright(rest)
      : runVitest('some', [...(isFull ? [] : ['--project=!full']), ...rest])),
  ];
}

async function runVitest(name: string, args: readonly string[], how: How = {}): Promise<Totals> {
  const report = join(reports, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const exitCode = await run(['vitest', 'run', ...reporters, ...args], { ...how, name });
  return parseVitest(`vitest (${name})`, readReport(report), exitCode);
}

async function runPlaywright(args: readonly string[], how: How = {}): Promise<Totals> {
  const report = join(reports, 'playwright.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const command = ['playwright', 'test', '--reporter=list,json', ...args] as const;
  const exitCode = await run(command, { ...how, name: 'pages', env });
  return parsePlaywright(readReport(report), exitCode);
}

interface How {
  /** As it comes, or at the end where another runner is showing its own. */
  readonly shown?: 'live' | 'afterwards';
  /** Whether others go first where they want the processor. */
  readonly gives?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

interface Named extends How {
  /** Of the runner, for the file that it writes to. */
  readonly name: string;
}

/** Runs a tool to its end. */
async function run(
  [tool, ...args]: readonly [string, ...string[]],
  { name, shown = 'live', gives = false, env = {} }: Named,
): Promise<number> {
  const log = shown === 'live' ? undefined : join(reports, `${name}.log`);
  const child = spawn(join(root, 'node_modules/.bin', tool), args, {
    cwd: root,
    stdio: log === undefined ? 'inherit' : ['ignore', openSync(log, 'a'), openSync(log, 'a')],
    env: { ...process.env, ...env },
  });
  if (gives && child.pid !== undefined) setPriority(child.pid, GIVING);
  running.add(child);
  const [exitCode] = await once(child, 'exit');
  running.delete(child);
  if (log !== undefined) process.stdout.write(readFileSync(log));
  return typeof exitCode === 'number' ? exitCode : 1;
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
