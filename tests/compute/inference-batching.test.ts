import { describe, expect, it } from 'vitest';
import { BatchingWindow } from '../../compute/inference/batching-window.ts';
import { PriorityQueue } from '../../compute/inference/priority-queue.ts';

describe('the queue', () => {
  it('gives higher levels first, and the first of equals', () => {
    const queue = new PriorityQueue<string>();
    for (const [item, level] of [
      ['a', 0],
      ['b', 5],
      ['c', 5],
      ['d', 9],
    ] as const) {
      queue.push(item, level);
    }

    expect(queue.remove('b')).toBe(true);
    expect(queue.remove('b')).toBe(false);
    expect(queue.size).toBe(3);
    expect([queue.shift(), queue.shift(), queue.shift(), queue.shift()]).toEqual([
      'd',
      'c',
      'a',
      undefined,
    ]);
    expect(queue.size).toBe(0);
  });
});

describe('the batching window', () => {
  it('waits as long as it may while it knows nothing', () => {
    const window = new BatchingWindow();
    window.arrived(0);

    expect(window.waitMs(1, 2, 10)).toBe(8);
    expect(window.waitMs(1, 12, 10)).toBe(0);
  });

  it('learns what a turn takes from its size', () => {
    const window = new BatchingWindow();
    for (const rows of [1, 4, 16, 8, 2, 64]) window.took(rows, 3 + rows / 4);

    expect(window.turnMs(1)).toBeCloseTo(3.25);
    expect(window.turnMs(32)).toBeCloseTo(11);
  });

  it('takes turns of one size for what every turn takes', () => {
    const window = new BatchingWindow();
    for (let i = 0; i < 5; i++) window.took(4, 6);

    expect(window.turnMs(64)).toBeCloseTo(6);
  });

  // A turn takes 8 ms; with one waiting it pays to wait for a gap of less than 4 ms, with three of 2 ms.
  it.each([
    [3, 1, 3],
    [5, 1, 0],
    [3, 3, 0],
    [1, 3, 1],
  ])('with arrivals every %i ms and %i waiting it waits for %i ms', (gap, waiting, expected) => {
    const window = new BatchingWindow();
    for (let i = 0; i < 100; i++) window.arrived(i * gap);
    for (let i = 0; i < 100; i++) window.took(1, 8);

    expect(window.waitMs(waiting, 0, 50)).toBeCloseTo(expected);
  });

  it('never waits longer than it may', () => {
    const window = new BatchingWindow();
    for (let i = 0; i < 100; i++) window.arrived(i * 3);
    window.took(1, 1000);

    expect(window.waitMs(1, 4, 5)).toBe(1);
  });
});
