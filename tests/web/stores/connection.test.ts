import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANNOUNCE_EVERY_MS, announceConnection } from '../../../web/stores/announcement.ts';
import { POLL_MS } from '../../../web/stores/connection-machine.ts';
import { watchConnection } from '../../../web/stores/connection.ts';

/** A gateway whose answers the test gives, one question at a time. */
function fakeGateway() {
  const questions: { answer(): void; fail(): void; signal: AbortSignal }[] = [];
  const probe = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      questions.push({ signal, answer: resolve, fail: () => reject(new TypeError('no answer')) });
    });
  return { probe, questions };
}

function open() {
  const { probe, questions } = fakeGateway();
  const network = new EventTarget();
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const watch = watchConnection({
    probe,
    now: Date.now,
    network,
    page: page as unknown as Document,
  });
  const show = (visibilityState: 'visible' | 'hidden') => {
    Object.assign(page, { visibilityState });
    page.dispatchEvent(new Event('visibilitychange'));
  };
  const status = () => watch.store.getState().status;
  const settle = async (how: 'answer' | 'fail') => {
    questions.at(-1)![how]();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { watch, questions, network, show, status, settle };
}

describe('the connection watch', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('asks at once, and again at every turn while the gateway answers', async () => {
    const { questions, status, settle } = open();
    expect(status()).toBe('connecting');

    await settle('answer');
    expect(status()).toBe('live');
    await vi.advanceTimersByTimeAsync(POLL_MS - 1);
    expect(questions).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(questions).toHaveLength(2);
  });

  it('says when it will try again, and does', async () => {
    const { watch, questions, settle } = open();

    await settle('fail');
    expect(watch.store.getState()).toEqual({
      status: 'reconnecting',
      failures: 1,
      retryAt: Date.now() + 1_000,
    });

    await vi.advanceTimersByTimeAsync(1_000);
    expect(questions).toHaveLength(2);
    await settle('answer');
    expect(watch.store.getState()).toEqual({ status: 'live' });
  });

  it('is offline at once when the browser is, and asks at once when it is back', async () => {
    const { network, questions, status, settle } = open();
    await settle('answer');

    network.dispatchEvent(new Event('offline'));
    expect(status()).toBe('offline');
    network.dispatchEvent(new Event('online'));
    expect(questions).toHaveLength(2);
    await settle('answer');
    expect(status()).toBe('live');
  });

  it('asks nothing while the page is hidden, and at once when it is seen again', async () => {
    const { show, questions, settle } = open();
    await settle('answer');

    show('hidden');
    await vi.advanceTimersByTimeAsync(10 * POLL_MS);
    expect(questions).toHaveLength(1);
    show('visible');
    expect(questions).toHaveLength(2);
  });

  it('uses only the latest request: a late response to an older one changes nothing', async () => {
    const { watch, questions, status } = open();
    const [first] = questions;
    watch.probeNow();

    expect(first!.signal.aborted).toBe(true);
    first!.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(status()).toBe('connecting');
  });

  it('asks nothing more once closed', async () => {
    const { watch, questions, network, settle } = open();
    await settle('fail');

    watch.close();
    network.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(60_000);

    expect(questions).toHaveLength(1);
  });
});

describe('what is read aloud about it', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('is nothing when the first question is answered', async () => {
    const { watch, settle } = open();
    const announced = announceConnection(watch.store);

    await settle('answer');

    expect(announced.getState()).toBe('nothing');
  });

  it('is every change, but a flicker only as what it came to', async () => {
    const { watch, settle } = open();
    const announced = announceConnection(watch.store);
    const received: string[] = [];
    announced.subscribe((status) => received.push(status));

    await settle('fail');
    expect(received).toEqual(['reconnecting']);

    await vi.advanceTimersByTimeAsync(1_000);
    await settle('answer');
    watch.probeNow();
    await settle('fail');
    watch.probeNow();
    await settle('answer');
    expect(received).toEqual(['reconnecting']);

    await vi.advanceTimersByTimeAsync(ANNOUNCE_EVERY_MS);
    expect(received).toEqual(['reconnecting', 'live']);
  });
});
