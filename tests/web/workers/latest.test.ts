import { expect, it } from 'vitest';
import { createLatest } from '../../../web/workers/latest.ts';

it('of many questions asks the first and the newest, one after the other', async () => {
  const asked: { question: number; answer: (value: string) => void }[] = [];
  const received: string[] = [];
  const ask = createLatest(
    (question: number) =>
      new Promise<string>((answer) => {
        asked.push({ question, answer });
      }),
    { answered: (value) => received.push(value), failed: () => received.push('failed') },
  );
  for (const question of [1, 2, 3, 4]) ask(question);
  expect(asked.map(({ question }) => question)).toEqual([1]);

  asked[0]!.answer('one');
  await new Promise(setImmediate);
  expect(asked.map(({ question }) => question)).toEqual([1, 4]);
  asked[1]!.answer('four');
  await new Promise(setImmediate);
  expect(received).toEqual(['one', 'four']);
});

it('goes on after a question that failed', async () => {
  const received: unknown[] = [];
  const ask = createLatest(
    (question: number) =>
      question === 1 ? Promise.reject(new Error('no')) : Promise.resolve(question),
    {
      answered: (value) => received.push(value),
      failed: (_, question) => received.push(-question),
    },
  );
  ask(1);
  ask(2);
  await new Promise(setImmediate);
  expect(received).toEqual([-1, 2]);
});
