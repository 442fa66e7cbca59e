import { createCharacterTokenizer } from '../../engine/data/tokenizers/character-tokenizer.ts';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';

/** A corpus whose tokens say where they stand, and that writes down what was read of it. */
export interface CountingCorpus extends Corpus {
  readonly reads: (readonly [start: number, end: number])[];
}

/** Makes its tokens as they are read, so that it may be larger than memory. */
export function countingCorpus(length: number): CountingCorpus {
  const reads: (readonly [number, number])[] = [];
  return {
    name: 'counting',
    digest: '0'.repeat(64),
    length,
    characters: length,
    distinct: 1,
    unknown: 0,
    encodings: ['utf-8'],
    preparation: {},
    tokenizer: { ...createCharacterTokenizer('a'), size: length },
    reads,
    async read(start, end) {
      reads.push([start, end]);
      const tokens = new Uint32Array(end - start);
      for (let i = 0; i < tokens.length; i++) tokens[i] = start + i;
      return tokens;
    },
    async close() {},
  };
}
