import { basename } from 'node:path';
import { afterAll, expect, inject } from 'vitest';
import { codeIn, noteAnswer, writeLog } from './answer-log.ts';

const PROBLEM = 'application/problem+json';
const plainFetch = globalThis.fetch;

/** Notes every answer that a test fetches. */
globalThis.fetch = async (input, init) => {
  const answer = await plainFetch(input, init);
  const asked = input instanceof Request ? input : { method: 'GET', url: input };
  const { origin, pathname: path } = new URL(asked.url);
  const isProblem = answer.headers.get('content-type') === PROBLEM;
  const code = isProblem ? codeIn(await answer.clone().text()) : '';
  noteAnswer(origin, { method: init?.method ?? asked.method, path, status: answer.status, code });
  return answer;
};

afterAll(() => {
  globalThis.fetch = plainFetch;
  const folder = inject('answersFolder');
  if (folder !== undefined) writeLog(folder, basename(expect.getState().testPath ?? ''));
});
