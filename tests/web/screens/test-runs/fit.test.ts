import { expect, it } from 'vitest';
import type { TestTypeFacts } from '../../../../edge/test-runs/contract/test-run.ts';
import { fitOf } from '../../../../web/screens/test-runs/run-words.ts';

const facts = (
  last_status: TestTypeFacts['last_status'],
  seconds: number | null,
): TestTypeFacts => ({
  test_type: 'all',
  time_limit_s: 300,
  last_status,
  last_duration_ms: seconds === null ? null : seconds * 1000,
});

it.each([
  ['fresh', 'which never ran', facts(null, null)],
  ['took', 'which took half of its limit', facts('passed', 150)],
  ['took', 'which failed early', facts('failed', 3)],
  ['tight', 'which took nearly all of it', facts('passed', 290)],
  ['tight', 'which took more than the limit of today', facts('passed', 1_000)],
  ['late', 'which was ended by it', facts('timeout', 301)],
  ['tight', 'which was ended by a shorter one', facts('timeout', 60)],
] as const)('a type of tests is %s %s', (fit, _, of) => {
  expect(fitOf(of)).toBe(fit);
});
