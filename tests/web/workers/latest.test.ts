import { expect, it } from 'vitest';
import { createLatest } from '../../../web/workers/latest.ts';

it('of many questions asks the first and the newest, one after the other', async () => {
  const asked: { question: number; answer: (value: string) => void }[] = [];
  const heard: string[] = [];
  const ask = createLatest(
    (question: number) =>
      new Promise<string>((answer) => {
        asked.push({ question, answer });
      }),
    { answered: (value) => heard.push(value), failed: () => heard.push('failed') },
  );
  for (const question of [1, 2, 3, 4]) ask(question);
  expect(asked.map(({ question }) => question)).toEqual([1]);

  asked[0]!.answer('one');
  await new Promise(setImmediate);
  expect(asked.map(({ question }) => question)).toEqual([1, 4]);
  asked[1]!.answer('four');
  await new Promise(setImmediate);
  expect(heard).toEqual(['one', 'four']);
});

it('goes on after a question that failed', async () => {
  const heard: unknown[] = [];
  const ask = createLatest(
    (question: number) =>
      question === 1 ? Promise.reject(new Error('no')) : Promise.resolve(question),
    { answered: (value) => heard.push(value), failed: (_, question) => heard.push(-question) },
  );
  ask(1);
  ask(2);
  await new Promise(setImmediate);
  expect(heard).toEqual([-1, 2]);
});
