import { describe, expect, it } from 'vitest';
import { blobSource } from '../../engine/data/files/byte-source.ts';
import { openCorpus } from '../../engine/data/corpus/open-corpus.ts';
import { splitCorpus } from '../../engine/data/corpus/corpus.ts';
import { spreadWindows } from '../../engine/data/corpus/windows.ts';
import { majorityFloor, sequenceFloors, textFloors } from '../../engine/evaluation/floors.ts';

describe('the floors of a run', () => {
  it('of a text are those of its n-grams, on the windows that it is validated on', async () => {
    // Every other character tells the next, and half of them cannot be known.
    let seed = 1;
    const coin = () => (seed = (seed * 48_271) % 2_147_483_647) % 2;
    const text = Array.from({ length: 20_000 }, () => (coin() ? 'ab' : 'cd')).join('');
    const corpus = await openCorpus(blobSource(new Blob([text]), 'pairs.txt'));
    const shape = { batch: 4, sequence: 16 };
    const { train, validation } = splitCorpus(corpus, shape.sequence);
    const windows = await spreadWindows(corpus, validation, shape, 64);

    const floors = await textFloors(corpus, train, { windows, sequence: shape.sequence });

    expect(floors.map(({ name }) => name)).toEqual(['uniform', 'unigram', 'bigram', '5-gram']);
    const [uniform, unigram, bigram, five] = floors.map(({ value }) => value);
    expect(uniform).toBeCloseTo(Math.log(4), 9);
    expect(unigram).toBeCloseTo(Math.log(4), 1);
    expect(bigram).toBeCloseTo(Math.log(2) / 2, 1);
    // A window's first tokens have less before them than the counts are for.
    expect(five).toBeLessThan(Math.log(2) / 2 + 0.1);
    await corpus.close();
  });

  it('of captions are those of the orders asked for, and never predict the first', async () => {
    const learned = Array.from({ length: 400 }, (_, i) => Uint32Array.of(0, 1, i % 2, 2, i % 2));
    const asked = learned.slice(0, 2);
    const floors = await sequenceFloors(3, [1, 2, 3], { counted: learned, asked });

    expect(floors).toMatchObject([{ name: 'uniform' }, { name: 'unigram' }, {}, {}]);
    const [bigram, trigram] = floors.slice(2).map(({ value }) => value);
    // Only three tokens together tell the last one.
    expect(trigram!).toBeLessThan(bigram! - 0.1);
    expect(floors[3]).toMatchObject({ name: 'trigram', figure: 'loss' });
  });

  it('of a classifier is to answer what was commonest in training', () => {
    expect(majorityFloor([2, 2, 1, 0], [2, 0, 1, 1])).toEqual({
      name: 'majority',
      figure: 'accuracy',
      value: 0.25,
    });
  });
});
