import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  InferRequestInput,
  InferResponse,
} from '../../../../edge/inference/contract/infer.ts';
import { ownProblem } from '../../../../edge/contract/problem-error.ts';
import { RetryLater, type Streaming } from '../../../../web/api/inference.ts';
import {
  createAsking,
  MOST_KEPT,
  selectShown,
  SHOW_EVERY_MS,
} from '../../../../web/screens/playground/asking/asking.ts';
import type { Question } from '../../../../web/screens/playground/asking/question.ts';

const QUESTION: Question = {
  targets: [
    { modelId: 'stories', version: '1.0.0' },
    { modelId: 'stories', alias: 'production' },
  ],
  prompt: 'Once ',
  hasText: true,
  media: {},
  sampling: { max_length: 9, temperature: 1, top_k: 0, top_p: 1, seed: 3, stop: [], raster: true },
};

/** Only what the machine itself looks at. */
const responseOf = (text: string) => ({ outputs: { text } }) as InferResponse;

/** A service whose answers the test gives. */
function open() {
  const calls: {
    request: InferRequestInput;
    streaming: Streaming;
    answer: (response: InferResponse) => void;
    refuse: (error: unknown) => void;
  }[] = [];
  const asking = createAsking({
    now: Date.now,
    send: (request, streaming) =>
      new Promise((answer, refuse) => {
        streaming.signal.addEventListener('abort', () => refuse(streaming.signal.reason));
        calls.push({ request, streaming, answer, refuse });
      }),
  });
  const answers = () => selectShown(asking.store.getState())!.answers;
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { asking, calls, answers, pass };
}

describe('asking', () => {
  beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => vi.useRealTimers());

  it('asks every target the same, and shows the pieces of each text together', async () => {
    const { asking, calls, answers, pass } = open();

    asking.ask(QUESTION);
    expect(answers().map(({ status }) => status)).toEqual(['waiting', 'waiting']);
    await pass(200);
    for (const delta of ['up', 'on ', 'a']) calls[0]!.streaming.onText(delta);
    await pass(SHOW_EVERY_MS);

    expect(calls.map(({ request }) => [request.version, request.alias])).toEqual([
      ['1.0.0', undefined],
      [undefined, 'production'],
    ]);
    expect(calls.map(({ request }) => request.config)).toEqual([
      calls[0]!.request.config,
      calls[0]!.request.config,
    ]);
    expect(answers()[0]).toEqual({
      status: 'writing',
      text: 'upon a',
      firstMs: 200,
      totalMs: 200 + SHOW_EVERY_MS,
    });
    expect(answers()[1]).toEqual({ status: 'waiting' });
  });

  it('ends with the whole text of the service, and never goes back to writing', async () => {
    const { asking, calls, answers, pass } = open();
    asking.ask(QUESTION);
    calls[0]!.streaming.onText('up');

    calls[0]!.answer(responseOf('upon'));
    await pass(10 * SHOW_EVERY_MS);

    expect(answers()[0]).toMatchObject({ status: 'done', text: 'upon', firstMs: 0, totalMs: 0 });
  });

  it('keeps what was written when it is stopped', async () => {
    const { asking, calls, answers, pass } = open();
    asking.ask(QUESTION);
    calls[0]!.streaming.onText('up');

    asking.stop(selectShown(asking.store.getState())!.id);
    await pass(0);

    expect(answers()).toMatchObject([
      { status: 'stopped', text: 'up' },
      { status: 'stopped', text: '', firstMs: null },
    ]);
    expect(calls.every(({ streaming }) => streaming.signal.aborted)).toBe(true);
  });

  it('says when to ask again where the service does', async () => {
    const { asking, calls, answers, pass } = open();
    asking.ask(QUESTION);
    const busy = ownProblem('rate_limited', 'the queue is full');

    calls[0]!.refuse(new RetryLater(busy, 5));
    calls[1]!.refuse(busy);
    await pass(0);

    expect(answers()).toMatchObject([
      { status: 'failed', retryAt: 1_005_000 },
      { status: 'failed', retryAt: null, error: busy },
    ]);
  });

  it('keeps the newest questions, and shows the one that is chosen', async () => {
    const { asking } = open();
    for (let n = 0; n < MOST_KEPT + 2; n++) asking.ask(QUESTION);
    const { exchanges } = asking.store.getState();
    expect(exchanges).toHaveLength(MOST_KEPT);
    expect(exchanges[0]!.id).toBe(MOST_KEPT + 2);

    asking.show(exchanges[4]!.id);

    expect(selectShown(asking.store.getState())).toBe(exchanges[4]);
  });

  it('forgets everything and hangs up when somebody else is there', async () => {
    const { asking, calls } = open();
    asking.belongTo('key a');
    asking.ask(QUESTION);
    asking.belongTo('key a');
    expect(asking.store.getState().exchanges).toHaveLength(1);

    asking.belongTo('key b');

    expect(asking.store.getState()).toEqual({ exchanges: [], shown: null });
    expect(calls[0]!.streaming.signal.aborted).toBe(true);
  });
});
