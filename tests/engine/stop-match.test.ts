import { describe, expect, it } from 'vitest';
import { withheldLength, stopAtEnd } from '../../engine/models/language/writing.ts';

const stops = ['ab', 'aab', 'xyz'].map((stop) => Uint8Array.from(codes(stop)));

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
    expect(withheldLength(codes(text), stops)).toBe(count);
  });

  it('is never shown in part, whatever the text', () => {
    const shownInPart = everyText('abxyz', 5).filter((text) => {
      let shown = 0;
      for (let end = 1; end <= text.length; end++) {
        const tokens = codes(text.slice(0, end));
        const stop = stopAtEnd(tokens, stops);
        if (stop > 0) return shown > end - stop;
        shown = Math.max(shown, end - withheldLength(tokens, stops));
      }
      return false;
    });

    expect(shownInPart).toEqual([]);
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
