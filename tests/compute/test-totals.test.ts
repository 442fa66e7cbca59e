import { describe, expect, it } from 'vitest';
import { addTotals, parsePlaywright, parseVitest, summaryOf } from '../../tools/test-totals.ts';

const vitestReport = (assertionResults: readonly object[], message = '') => ({
  numPassedTests: assertionResults.filter((test) => 'status' in test && test.status === 'passed')
    .length,
  testResults: [{ name: '/somewhere/tests/edge/keys.test.ts', message, assertionResults }],
});
const passed = { status: 'passed', fullName: 'keys are kept', failureMessages: [] };
const late = { ...passed, fullName: 'keys end', failureMessages: ['Error: too late\n    at x'] };
const failed = { ...late, status: 'failed' };
const skipped = { ...passed, status: 'skipped', fullName: 'keys in Redis (takes redis-server)' };

const playwrightReport = (test: object) => ({
  stats: { expected: 4 },
  suites: [
    { suites: [{ specs: [{ file: 'logs.spec.ts', title: 'lines appear', tests: [test] }] }] },
  ],
});
const noLine = [{ error: { message: 'no line' } }, {}];

describe('the sums of a test run', () => {
  it('names what failed and how', () => {
    const totals = parseVitest('vitest', vitestReport([passed, failed]), 1);
    expect(summaryOf(totals)).toBe(
      'FAILED tests/edge/keys.test.ts › keys end\n    Error: too late\n        at x\n' +
        '1 passed, 1 failed, 0 skipped',
    );
  });

  it('names what was skipped, with the reason that Playwright was given', () => {
    const annotations = [{ type: 'skip', description: 'there is no GPU' }];
    const page = playwrightReport({ status: 'skipped', annotations, results: [{}] });
    const totals = [parseVitest('vitest', vitestReport([passed, skipped]), 0)];
    expect(summaryOf(addTotals([...totals, parsePlaywright(page, 0)]))).toBe(
      'SKIPPED tests/edge/keys.test.ts › keys in Redis (takes redis-server)\n' +
        'SKIPPED tests/e2e/logs.spec.ts › lines appear\n    there is no GPU\n' +
        '5 passed, 0 failed, 2 skipped',
    );
  });

  it('names what passed only when it was tried again', () => {
    const pages = parsePlaywright(playwrightReport({ status: 'flaky', results: noLine }), 0);
    const totals = addTotals([parseVitest('vitest', vitestReport([passed, late]), 0), pages]);
    expect(totals).toMatchObject({ passed: 7, failed: [] });
    expect(summaryOf(totals)).toMatch(/^TRIED AGAIN tests\/edge\/keys\.test\.ts › keys end$/m);
    expect(summaryOf(totals)).toMatch(/^TRIED AGAIN tests\/e2e\/logs\.spec\.ts › lines appear$/m);
    expect(summaryOf(totals)).toMatch(/, 2 passed only when tried again$/);
  });

  it('counts a page that failed each time', () => {
    const report = playwrightReport({ status: 'unexpected', results: noLine });
    const { failed: troubles } = parsePlaywright(report, 1);
    expect(troubles).toEqual([
      { name: 'tests/e2e/logs.spec.ts › lines appear', message: 'no line' },
    ]);
  });

  it('counts a file that could not be read', () => {
    const totals = parseVitest('vitest', vitestReport([], 'Cannot find module'), 1);
    expect(totals.failed).toEqual([
      { name: 'tests/edge/keys.test.ts', message: 'Cannot find module' },
    ]);
  });

  it.each([
    [undefined, 0],
    [undefined, 1],
    [vitestReport([passed]), 1],
  ])('counts a runner that ended badly and named nobody as one failure', (report, exitCode) => {
    expect(parseVitest('vitest', report, exitCode).failed).toHaveLength(1);
  });
});
