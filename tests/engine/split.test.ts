import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import { splitCorpus } from '../../engine/data/corpus/corpus.ts';
import { countingCorpus } from './counting-corpus.ts';

const sequences = fc.integer({ min: 2, max: 4096 });

describe('the split of a text', () => {
  it('keeps the last tenth for validation and leaves nothing out', () => {
    fc.assert(
      fc.property(sequences, fc.nat(10_000_000), (sequence, more) => {
        const length = 10 * (sequence + 1) + more;
        const { train, validation } = splitCorpus(countingCorpus(length), sequence);

        expect([train.start, train.end, validation.end]).toEqual([0, validation.start, length]);
        expect(validation.end - validation.start).toBe(Math.ceil(length / 10));
        expect(validation.end - validation.start).toBeGreaterThan(sequence);
      }),
    );
  });

  it('names the length of a text that is too short, and the least that will do', () => {
    expect(() => splitCorpus({ ...countingCorpus(200), name: 'haiku.txt' }, 32)).toThrow(
      expect.objectContaining({
        code: 'text-too-short',
        message:
          'haiku.txt has 200 characters: seq_len 32 needs at least 321, ' +
          'as the last tenth is held out for validation',
      }),
    );
  });

  it('accepts exactly the lengths from the one it names on', () => {
    fc.assert(
      fc.property(sequences, (sequence) => {
        const named = leastNamed(countingCorpus(10), sequence);

        expect(leastNamed(countingCorpus(named - 1), sequence)).toBe(named);
        expect(splitCorpus(countingCorpus(named), sequence).validation.end).toBe(named);
      }),
    );
  });
});

function leastNamed(corpus: Corpus, sequence: number): number {
  try {
    splitCorpus(corpus, sequence);
  } catch (error) {
    const [, least] = /needs at least (\d+)/.exec(String(error))!;
    return Number(least);
  }
  throw new Error(`a text of ${corpus.length} was accepted for seq_len ${sequence}`);
}
