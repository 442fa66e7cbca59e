import { describe, expect, it } from 'vitest';
import { BatchingWindow } from '../../compute/inference/batching-window.ts';
import { PriorityQueue } from '../../compute/inference/priority-queue.ts';
import { heldBack, stopAtEnd } from '../../compute/inference/stop-match.ts';

const stops = ['ab', 'aab', 'xyz'].map((stop) => Uint32Array.from(codes(stop)));

describe('a stop sequence', () => {
  // The longest counts: what it begins with is no part of the text.
  it.each([
    ['', 0],
    ['a', 0],
    ['b', 0],
    ['ab', 2],
    ['aab', 3],
    ['zaab', 3],
    ['abz', 0],
    ['xxyz', 3],
  ])('ends %j after %i tokens of it', (text, count) => {
    expect(stopAtEnd(codes(text), stops)).toBe(count);
  });

  it.each([
    ['', 0],
    ['q', 0],
    ['a', 1],
    ['aa', 2],
    ['aaa', 2],
    ['qx', 1],
    ['xy', 2],
    ['xya', 1],
    ['xyq', 0],
  ])('may have begun in the last tokens of %j, %i of them', (text, count) => {
    expect(heldBack(codes(text), stops)).toBe(count);
  });

  it('is never shown in part, whatever the text', () => {
    const shownInPart = everyText('abxyz', 5).filter((text) => {
      let shown = 0;
      for (let end = 1; end <= text.length; end++) {
        const tokens = codes(text.slice(0, end));
        const stop = stopAtEnd(tokens, stops);
        if (stop > 0) return shown > end - stop;
        shown = Math.max(shown, end - heldBack(tokens, stops));
      }
      return false;
    });

    expect(shownInPart).toEqual([]);
  });
});

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

function codes(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

function everyText(alphabet: string, length: number): string[] {
  if (length === 0) return [''];
  return everyText(alphabet, length - 1).flatMap((text) =>
    Array.from(alphabet, (character) => text + character),
  );
}
