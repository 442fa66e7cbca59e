import { spawnSync } from 'node:child_process';
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
if (wantsUnits) totals.push(runVitest());
if (wantsPages) totals.push(runPlaywright());
rmSync(reports, { recursive: true });

const { passed, failed, skipped } = addTotals(totals);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function runVitest(): Totals {
  const report = join(reports, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const status = run(['vitest', 'run', ...reporters, ...filters], {});
  return parseVitest(readReport(report), status);
}

function runPlaywright(): Totals {
  const report = join(reports, 'playwright.json');
  const rest = filters.filter((filter) => filter !== 'e2e');
  const status = run(['playwright', 'test', '--reporter=list,json', ...rest], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  return parsePlaywright(readReport(report), status);
}

function run([tool, ...args]: [string, ...string[]], env: Record<string, string>): number {
  const { status } = spawnSync(join(root, 'node_modules/.bin', tool), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
