import { readdirSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import { documentOf } from '../../edge/openapi/platform.ts';
import { readLogs } from './answer-log.ts';
import { answerNamer, answersIn } from './documented-answers.ts';
import { UNREACHED } from './unreached-answers.ts';

/**
 * Runs after the tests of the edge and looks at what they were answered, together. It says nothing
 * of a run in which one of their files was left out or broke.
 */
const tests = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'));
const folder: string | undefined = inject('answersFolder');
const logs = folder === undefined ? new Map() : readLogs(folder);

describe.skipIf(tests.some((file) => !logs.has(file)))('the documented answers', () => {
  const document = JSON.parse(JSON.stringify(documentOf('gateway')));
  const documented = answersIn(document);
  const reached = new Set([...logs.values()].flat().map(answerNamer(document)));
  const missing = [...documented].filter((answer) => !reached.has(answer));
  const codeOf = (answer: string) => answer.split(' ')[2] ?? '';
  const reasonFor = (answer: string) => (answer in UNREACHED ? answer : codeOf(answer));

  it('are all reached by some test, but for those with a reason', () => {
    expect(missing.filter((answer) => !(reasonFor(answer) in UNREACHED))).toEqual([]);
  });

  it('that are said to be out of reach are documented, and no test reaches them', () => {
    const isTrue = (key: string) => {
      const meant = [...documented].filter((answer) => answer === key || codeOf(answer) === key);
      return meant.length > 0 && !meant.some((answer) => reached.has(answer));
    };
    expect(Object.keys(UNREACHED).filter((key) => !isTrue(key))).toEqual([]);
  });
});
