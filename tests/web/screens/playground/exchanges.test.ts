import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  InferRequestInput,
  InferResponse,
} from '../../../../edge/inference/contract/infer.ts';
import { ownProblem } from '../../../../edge/contract/refusal.ts';
import { RetryLater, type Streaming } from '../../../../web/api/inference.ts';
import {
  createExchanges,
  MAX_EXCHANGES,
  selectShown,
  SHOW_EVERY_MS,
} from '../../../../web/screens/playground/exchanges/exchanges.ts';
import type { Question } from '../../../../web/screens/playground/exchanges/question.ts';

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
  const playgroundStore = createExchanges({
    now: Date.now,
    send: (request, streaming) =>
      new Promise((answer, refuse) => {
        streaming.signal.addEventListener('abort', () => refuse(streaming.signal.reason));
        calls.push({ request, streaming, answer, refuse });
      }),
  });
  const answers = () => selectShown(playgroundStore.store.getState())!.answers;
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { playgroundStore, calls, answers, pass };
}

describe('the playground exchanges', () => {
  beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => vi.useRealTimers());

  it('sends the same request to every target, and batches text updates', async () => {
    const { playgroundStore, calls, answers, pass } = open();

    playgroundStore.ask(QUESTION);
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

  it('ends with the whole text of the service, and never returns to writing', async () => {
    const { playgroundStore, calls, answers, pass } = open();
    playgroundStore.ask(QUESTION);
    calls[0]!.streaming.onText('up');

    calls[0]!.answer(responseOf('upon'));
    await pass(10 * SHOW_EVERY_MS);

    expect(answers()[0]).toMatchObject({ status: 'done', text: 'upon', firstMs: 0, totalMs: 0 });
  });

  it('retains the generated text when it is stopped', async () => {
    const { playgroundStore, calls, answers, pass } = open();
    playgroundStore.ask(QUESTION);
    calls[0]!.streaming.onText('up');

    playgroundStore.stop(selectShown(playgroundStore.store.getState())!.id);
    await pass(0);

    expect(answers()).toMatchObject([
      { status: 'stopped', text: 'up' },
      { status: 'stopped', text: '', firstMs: null },
    ]);
    expect(calls.every(({ streaming }) => streaming.signal.aborted)).toBe(true);
  });

  it('reports the retry time of the service', async () => {
    const { playgroundStore, calls, answers, pass } = open();
    playgroundStore.ask(QUESTION);
    const busy = ownProblem('rate_limited', 'the queue is full');

    calls[0]!.refuse(new RetryLater(busy, 5));
    calls[1]!.refuse(busy);
    await pass(0);

    expect(answers()).toMatchObject([
      { status: 'failed', retryAt: 1_005_000 },
      { status: 'failed', retryAt: null, error: busy },
    ]);
  });

  it('stores the newest requests, and shows the selected one', async () => {
    const { playgroundStore } = open();
    for (let n = 0; n < MAX_EXCHANGES + 2; n++) playgroundStore.ask(QUESTION);
    const { exchanges } = playgroundStore.store.getState();
    expect(exchanges).toHaveLength(MAX_EXCHANGES);
    expect(exchanges[0]!.id).toBe(MAX_EXCHANGES + 2);

    playgroundStore.show(exchanges[4]!.id);

    expect(selectShown(playgroundStore.store.getState())).toBe(exchanges[4]);
  });

  it('clears all exchanges and aborts requests when the owner changes', async () => {
    const { playgroundStore, calls } = open();
    playgroundStore.belongTo('key a');
    playgroundStore.ask(QUESTION);
    playgroundStore.belongTo('key a');
    expect(playgroundStore.store.getState().exchanges).toHaveLength(1);

    playgroundStore.belongTo('key b');

    expect(playgroundStore.store.getState()).toEqual({ exchanges: [], shown: null });
    expect(calls[0]!.streaming.signal.aborted).toBe(true);
  });
});
