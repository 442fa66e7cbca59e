import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createToasts, TOAST_MS } from '../../../web/stores/toasts.ts';

describe('toasts', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('leave by themselves, each in its own time', () => {
    const toasts = createToasts();
    toasts.show('first');
    vi.advanceTimersByTime(TOAST_MS - 1);
    toasts.show('second', 'bad');

    vi.advanceTimersByTime(1);

    expect(toasts.store.getState()).toMatchObject([{ text: 'second', tone: 'bad' }]);
  });

  it('make room: the oldest leaves when a fourth comes', () => {
    const toasts = createToasts();

    for (const text of ['a', 'b', 'c', 'd']) toasts.show(text);

    expect(toasts.store.getState().map(({ text }) => text)).toEqual(['b', 'c', 'd']);
  });

  it('can be sent away', () => {
    const toasts = createToasts();
    toasts.show('first');
    toasts.show('second');

    toasts.dismiss(toasts.store.getState()[0]!.id);

    expect(toasts.store.getState()).toMatchObject([{ text: 'second' }]);
  });
});
