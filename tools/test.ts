import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addTotals, parsePlaywright, parseVitest, type Totals } from './test-totals.ts';

/**
 * Runs every test runner, each to its end, and prints one line of their sum.
 *
 *   npm test                   everything
 *   npm test -- engine lif     only vitest, filtered as vitest filters
 *   npm test -- e2e            only the browser tests
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'spikegrid-test-'));
const filters = process.argv.slice(2);

const totals = filters.length === 0 ? await runEverything() : await runSome();
rmSync(reports, { recursive: true });

const { passed, failed, skipped } = addTotals(totals);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/**
 * Pages and services spend much of their time waiting, kernels none: one after another, the services
 * last, with the pages beside them all.
 */
async function runEverything(): Promise<readonly Totals[]> {
  const pages = runPlaywright(['--workers=2'], 'afterwards');
  const kernels = await runVitest('engine', ['--project=engine']);
  return [kernels, await runVitest('others', ['--project=!engine']), await pages];
}

async function runSome(): Promise<readonly Totals[]> {
  const isPages = filters.includes('e2e');
  const rest = filters.filter((filter) => filter !== 'e2e');
  return [await (isPages ? runPlaywright(rest, 'live') : runVitest('some', rest))];
}

async function runVitest(name: string, args: readonly string[]): Promise<Totals> {
  const report = join(reports, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const exitCode = await run(['vitest', 'run', ...reporters, ...args], {});
  return parseVitest(readReport(report), exitCode);
}

async function runPlaywright(args: readonly string[], output: Output): Promise<Totals> {
  const report = join(reports, 'playwright.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const exitCode = await run(['playwright', 'test', '--reporter=list,json', ...args], env, output);
  return parsePlaywright(readReport(report), exitCode);
}

/** Shown as it comes, or at the end where another runner is showing its own. */
type Output = 'live' | 'afterwards';

/** Runs a tool to its end; a signal meant for this process ends the tool as well. */
async function run(
  [tool, ...args]: [string, ...string[]],
  env: Record<string, string>,
  output: Output = 'live',
): Promise<number> {
  const log = output === 'live' ? undefined : join(reports, `${tool}.log`);
  const child = spawn(join(root, 'node_modules/.bin', tool), args, {
    cwd: root,
    stdio: log === undefined ? 'inherit' : ['ignore', openSync(log, 'a'), openSync(log, 'a')],
    env: { ...process.env, ...env },
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    process.exit(1);
  };
  process.on('SIGTERM', end).on('SIGINT', end).on('SIGHUP', end);
  const [exitCode] = await once(child, 'exit');
  process.off('SIGTERM', end).off('SIGINT', end).off('SIGHUP', end);
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
