import { describe, expect, it } from 'vitest';
import type { Floor } from '../../engine/evaluation/floors.ts';
import { type TrainedRun, verdictOf } from '../../engine/evaluation/verdict.ts';

const loss = (name: Floor['name'], value: number): Floor => ({ name, figure: 'loss', value });
const accuracy = (name: Floor['name'], value: number): Floor => ({
  ...loss(name, value),
  figure: 'accuracy',
});

const TEXT = [
  loss('uniform', 4.17),
  loss('unigram', 3.35),
  loss('bigram', 2.48),
  loss('5-gram', 1.56),
];
const CLASSES = [accuracy('majority', 0.1), accuracy('linear', 0.82)];

const run: TrainedRun = {
  steps: 1000,
  itemsPerStep: 512,
  stepsPerEpoch: 100,
  parameters: 20_000,
  learningRate: 0.004,
  firstLoss: 4.2,
  lastLoss: 2.6,
};

describe('a verdict', () => {
  it('names the simplest floor that is missed', () => {
    expect(verdictOf({ loss: 2.5 }, TEXT)).toEqual({
      floor: TEXT[2],
      reached: 2.5,
      isBeaten: false,
    });
    expect(verdictOf({ loss: 3.4 }, TEXT)).toMatchObject({ floor: { name: 'unigram' } });
    expect(verdictOf({ loss: 4.17 }, TEXT)).toMatchObject({ floor: { name: 'uniform' } });
  });

  it('names the hardest floor that is beaten and the one that is next', () => {
    const [, , bigram, fivegram] = TEXT;
    expect(verdictOf({ loss: 2 }, TEXT)).toEqual({
      floor: bigram,
      next: fivegram,
      reached: 2,
      isBeaten: true,
    });
    expect(verdictOf({ loss: 1.5 }, TEXT)).toEqual({
      floor: fivegram,
      reached: 1.5,
      isBeaten: true,
    });
    // Of a short text long n-grams know less than short ones.
    const short = [loss('bigram', 2), loss('5-gram', 2.2)];
    expect(verdictOf({ loss: 2.1 }, short)).toMatchObject({ floor: { name: 'bigram' } });
    expect(verdictOf({ loss: 1.9 }, short)).toMatchObject({
      floor: { name: 'bigram' },
      isBeaten: true,
    });
  });

  it('on classes goes by the accuracy', () => {
    const of = (value: number) => verdictOf({ loss: 9, figures: { accuracy: value } }, CLASSES);
    expect(of(0.1)).toMatchObject({ floor: { name: 'majority' }, isBeaten: false });
    expect(of(0.5)).toMatchObject({
      floor: { name: 'majority' },
      isBeaten: true,
      next: CLASSES[1],
    });
    expect(of(0.9)).toMatchObject({ floor: { name: 'linear' }, isBeaten: true });
    expect(verdictOf({ loss: 1 }, CLASSES)).toMatchObject({ isBeaten: false });
    expect(verdictOf({ loss: 1 }, [])).toBeUndefined();
  });

  it.each([
    [{ lastLoss: 9 }, 'rate-too-high', /^learning_rate 0\.004 took .* from 4\.20 to 9\.00/],
    [{ lastLoss: 1.1 }, 'learned-by-heart', /is 1\.10 after 10\.0 epochs/],
    [{ steps: 10 }, 'too-few-steps', /^10 steps with 5,120 tokens .* 20,000 parameters/],
    [{ parameters: 1e7 }, 'too-few-steps', /512,000 tokens .* 10,000,000 parameters/],
    [{ lastLoss: 4.15 }, 'hardly-moved', /^1,000 steps moved .* from 4\.20 to 4\.15 only/],
    [{}, 'budget-spent', /1,000 steps brought the training loss from 4\.20 to 2\.60/],
  ])('of a run with %j that misses its floor has a cause', (change, name, text) => {
    const of = (value: number) => verdictOf({ loss: value }, TEXT, { ...run, ...change });
    expect(of(2.7)?.cause).toEqual({ name, text: expect.stringMatching(text) });
    expect(of(2.3)).not.toHaveProperty('cause');
  });
});
