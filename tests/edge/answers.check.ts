import { readdirSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import type { OpenApiDocument } from '../../edge/api-description/document.ts';
import { documentOf } from '../../edge/api-description/platform.ts';
import { readLogs, type Sighting } from './answer-log.ts';
import { answerNamer, answersIn } from './documented-answers.ts';
import { UNREACHED } from './unreached-answers.ts';

/**
 * Runs after the tests of the edge and of compute and looks at what they were answered, together. It is
 * skipped where some files of the edge did not run to their end.
 */
const tests = readdirSync(import.meta.dirname).filter((file) =>
  /(?<!\.full)\.test\.ts$/.test(file),
);
const folder: string | undefined = inject('answersFolder');
const logs = folder === undefined ? new Map<string, readonly Sighting[]>() : readLogs(folder);

describe.skipIf(tests.some((file) => !logs.has(file)))('the documented answers', () => {
  const document = JSON.parse(JSON.stringify(documentOf('gateway'))) as OpenApiDocument;
  const documented = answersIn(document);
  /** Services of Node answer these; in the worlds of the edge there are none. */
  const isElsewhere = (answer: string) =>
    /^(?:gateway_(?:generate|inferV1)|(?:inference|plugin-host|test-host)_\w+) /.test(answer);
  const ofEdge = [...documented].filter((answer) => !isElsewhere(answer));
  const reachedBy = (files: readonly string[]) =>
    new Set(files.flatMap((file) => logs.get(file) ?? []).flatMap(answerNamer(document)));
  const reached = reachedBy(tests);
  /** The key under which a response is listed as unreachable by tests. */
  const reasonFor = (answer: string) =>
    [answer, answer.split(' ')[2] ?? ''].find((key) => key in UNREACHED);

  it('are reached by some test each, or there is a reason', () => {
    const missing = ofEdge.filter((answer) => !reached.has(answer));

    expect(missing.filter((answer) => reasonFor(answer) === undefined)).toEqual([]);
  });

  it('that are said to be out of reach are, and are documented', () => {
    const listed = ofEdge.filter((answer) => reasonFor(answer) !== undefined);

    expect(new Set(listed.map(reasonFor))).toEqual(new Set(Object.keys(UNREACHED)));
    // Of a code that most cannot be brought to, some test may have one.
    const whole = listed.filter((answer) => answer in UNREACHED);
    expect(whole.filter((answer) => reached.has(answer))).toEqual([]);
  });

  it('are all that tests were given', () => {
    const given = reachedBy([...logs.keys()]);

    // Refusals of Open Inference have the code of no problem document, under which they are documented.
    const isForeign = (answer: string) =>
      /^inference_(?:server|model|version)\w+ \d+$/.test(answer) &&
      [...documented].some((known) => known.startsWith(`${answer} `));
    const strange = [...given].filter((answer) => !documented.has(answer) && !isForeign(answer));
    expect(strange).toEqual([]);
  });
});
