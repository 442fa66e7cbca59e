/** A test that is named at the end, and why: how it failed, or what it was skipped for. */
export interface Trouble {
  readonly name: string;
  readonly message: string;
}

/** Totals of a runner. */
export interface Totals {
  readonly passed: number;
  readonly skipped: readonly Trouble[];
  readonly failed: readonly Trouble[];
  /** Passed, but not the first time: they count as passed, and are named. */
  readonly retried: readonly Trouble[];
}

/** Reads Vitest's report; undefined is one that was never written. */
export function parseVitest(runner: string, report: unknown, exitCode: number): Totals {
  const passed = numberOf(report, 'numPassedTests');
  if (passed === undefined) return settle(runner, nothing, exitCode);
  const tests = listOf(report, 'testResults').flatMap((file) => {
    const path = fileOf(textOf(file, 'name'));
    const broken = listOf(file, 'assertionResults').length === 0 ? textOf(file, 'message') : '';
    const whole = broken === '' ? [] : [{ status: 'failed', name: path, message: broken }];
    return listOf(file, 'assertionResults')
      .map((test) => ({
        status: textOf(test, 'status'),
        name: `${path} › ${textOf(test, 'fullName')}`,
        message: listOf(test, 'failureMessages').map(String).join('\n'),
      }))
      .concat(whole);
  });
  // Vitest reports no reason: where there is one, the name of the test says it.
  const skipped = tests.filter(({ status }) => UNTRIED.has(status)).map(troubleOf);
  const failed = tests.filter(({ status }) => status === 'failed').map(troubleOf);
  // A test that passes keeps what it failed with the first time.
  const retried = tests
    .filter(({ status, message }) => status === 'passed' && message !== '')
    .map(troubleOf);
  return settle(runner, { passed, skipped, failed, retried }, exitCode);
}

/** Reads Playwright's report; undefined is one that was never written. */
export function parsePlaywright(report: unknown, exitCode: number): Totals {
  const stats = field(report, 'stats');
  const expected = numberOf(stats, 'expected');
  if (expected === undefined) return settle('playwright', nothing, exitCode);
  const tests = listOf(report, 'suites')
    .flatMap(specsOf)
    .flatMap((spec) =>
      listOf(spec, 'tests').map((test) => ({
        status: textOf(test, 'status'),
        name: `tests/e2e/${textOf(spec, 'file')} › ${textOf(spec, 'title')}`,
        message: messagesOf(test).find((message) => message !== '') ?? '',
      })),
    );
  const failed = tests.filter(({ status }) => status === 'unexpected').map(troubleOf);
  const retried = tests.filter(({ status }) => status === 'flaky').map(troubleOf);
  const passed = expected + retried.length;
  const skipped = tests.filter(({ status }) => status === 'skipped').map(troubleOf);
  return settle('playwright', { passed, skipped, failed, retried }, exitCode);
}

export function addTotals(totals: readonly Totals[]): Totals {
  return {
    passed: totals.reduce((sum, { passed }) => sum + passed, 0),
    skipped: totals.flatMap(({ skipped }) => skipped),
    failed: totals.flatMap(({ failed }) => failed),
    retried: totals.flatMap(({ retried }) => retried),
  };
}

/** The last lines of a run: who was skipped, who failed and how, who needed a second try, and the sums. */
export function summaryOf({ passed, skipped, failed, retried }: Totals): string {
  const sums = [`${passed} passed`, `${failed.length} failed`, `${skipped.length} skipped`];
  if (retried.length > 0) sums.push(`${retried.length} passed only when tried again`);
  return [
    ...skipped.map((trouble) => told('SKIPPED', trouble)),
    ...retried.map((trouble) => told('TRIED AGAIN', trouble)),
    ...failed.map((trouble) => told('FAILED', trouble)),
    sums.join(', '),
  ].join('\n');
}

const nothing: Totals = { passed: 0, skipped: [], failed: [], retried: [] };

/** How Vitest calls a test that did not run. */
const UNTRIED = new Set(['skipped', 'pending', 'todo']);

/** A runner that ended badly without naming a failed test (a crash, an error between tests) counts as one. */
function settle(runner: string, totals: Totals, exitCode: number): Totals {
  const isSilent = totals.failed.length === 0 && (exitCode !== 0 || totals === nothing);
  if (!isSilent) return totals;
  const message = `ended with exit code ${exitCode}, and named no test: see its output above`;
  return { ...totals, failed: [{ name: runner, message }] };
}

/** Enough of a message to see what was expected and where. */
const LINES = 12;

function told(what: string, { name, message }: Trouble): string {
  // oxlint-disable-next-line no-control-regex -- the colours of a terminal
  const plain = message.replaceAll(/\x1b\[[0-9;]*m/g, '');
  const lines = plain.split('\n').filter(isTold);
  return [`${what} ${name}`, ...lines.slice(0, LINES).map((line) => `    ${line}`)].join('\n');
}

const troubleOf = ({ name, message }: Trouble): Trouble => ({ name, message });

/** Reasons that Playwright has for a test: why it was skipped, or how it failed in each try. */
const messagesOf = (test: unknown): readonly string[] => [
  ...listOf(test, 'annotations')
    .filter((annotation) => ['skip', 'fixme'].includes(textOf(annotation, 'type')))
    .map((annotation) => textOf(annotation, 'description')),
  ...listOf(test, 'results').map((result) => textOf(field(result, 'error'), 'message')),
];

function specsOf(suite: unknown): readonly unknown[] {
  return [...listOf(suite, 'specs'), ...listOf(suite, 'suites').flatMap(specsOf)];
}

const isTold = (line: string) =>
  line.trim() !== '' && !/^ +at .*(node_modules|new Promise)/.test(line);

const fileOf = (path: string) => path.slice(Math.max(0, path.lastIndexOf('/tests/') + 1));

function field(record: unknown, key: string): unknown {
  return typeof record === 'object' && record !== null ? Reflect.get(record, key) : undefined;
}

function numberOf(record: unknown, key: string): number | undefined {
  const value = field(record, key);
  return typeof value === 'number' ? value : undefined;
}

function textOf(record: unknown, key: string): string {
  const value = field(record, key);
  return typeof value === 'string' ? value : '';
}

function listOf(record: unknown, key: string): readonly unknown[] {
  const value = field(record, key);
  return Array.isArray(value) ? value : [];
}
