import { basename } from 'node:path';
import { afterAll, expect, inject } from 'vitest';
import { codeIn, noteAnswer, writeLog } from './answer-log.ts';

/** Content types that carry our error codes: problem documents, and the refusals of other protocols as JSON. */
const CODED = ['application/problem+json', 'application/json'];
const plainFetch = globalThis.fetch;

/** Notes every answer that a test fetches. */
globalThis.fetch = async (input, init) => {
  const answer = await plainFetch(input, init);
  const asked = input instanceof Request ? input : { method: 'GET', url: input };
  const { origin, pathname: path } = new URL(asked.url);
  const type = answer.headers.get('content-type') ?? '';
  const isCoded = answer.status >= 400 && CODED.includes(type);
  const code = isCoded ? codeIn(await answer.clone().text()) : '';
  // A refusal in protobuf or on a page has no room for the code; as JSON it has it.
  const isPacked = answer.status >= 400 && /^(?:application\/x-protobuf|text\/html)/.test(type);
  const method = init?.method ?? asked.method;
  if (!isPacked) noteAnswer(origin, { method, path, status: answer.status, code });
  return answer;
};

afterAll(() => {
  globalThis.fetch = plainFetch;
  const folder = inject('answersFolder');
  if (folder !== undefined) writeLog(folder, basename(expect.getState().testPath ?? ''));
});
