import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
const wantsPages = filters.length === 0 || filters.includes('e2e');
const wantsUnits = filters.length === 0 || !filters.includes('e2e');

const totals: Totals[] = [];
if (wantsUnits) totals.push(await runVitest());
if (wantsPages) totals.push(await runPlaywright());
rmSync(reports, { recursive: true });

const { passed, failed, skipped } = addTotals(totals);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

async function runVitest(): Promise<Totals> {
  const report = join(reports, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const exitCode = await run(['vitest', 'run', ...reporters, ...filters], {});
  return parseVitest(readReport(report), exitCode);
}

async function runPlaywright(): Promise<Totals> {
  const report = join(reports, 'playwright.json');
  const rest = filters.filter((filter) => filter !== 'e2e');
  const exitCode = await run(['playwright', 'test', '--reporter=list,json', ...rest], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  return parsePlaywright(readReport(report), exitCode);
}

/** Runs a tool to its end; a signal meant for this process ends the tool as well. */
async function run(
  [tool, ...args]: [string, ...string[]],
  env: Record<string, string>,
): Promise<number> {
  const child = spawn(join(root, 'node_modules/.bin', tool), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    process.exit(1);
  };
  process.on('SIGTERM', end).on('SIGINT', end).on('SIGHUP', end);
  const [exitCode] = await once(child, 'exit');
  process.off('SIGTERM', end).off('SIGINT', end).off('SIGHUP', end);
  return typeof exitCode === 'number' ? exitCode : 1;
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
