import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapInterval, createMeanBootstrap } from '../../engine/evaluation/bootstrap.ts';
import { createCalibrationMeter } from '../../engine/evaluation/calibration.ts';
import { createConfusionMeter } from '../../engine/evaluation/confusion.ts';
import { createRetrievalMeter, pairRetrieval } from '../../engine/evaluation/retrieval.ts';
import { createTextMeter } from '../../engine/evaluation/text-meter.ts';

const refusal = (message: string) =>
  expect.objectContaining({ code: 'invalid-setting', message: expect.stringContaining(message) });

describe('a text meter', () => {
  it('gives a uniform model the logarithm of its vocabulary and its size as perplexity', () => {
    const meter = createTextMeter();
    meter.add(
      Float32Array.from({ length: 100 }, () => Math.log(64)),
      {
        characters: 100,
        bytes: 100,
      },
    );

    const figures = meter.figures()!;

    expect(figures.natsPerToken).toBeCloseTo(Math.log(64), 6);
    expect(figures.perplexity).toBeCloseTo(64, 4);
    expect(figures.bitsPerCharacter).toBeCloseTo(6, 6);
  });

  it('spreads the loss of tokens over the characters and bytes they stand for', () => {
    const meter = createTextMeter();
    // Two tokens for five characters of three bytes each.
    meter.add([3, 7], { characters: 5, bytes: 15 });

    expect(meter.figures()).toEqual({
      tokens: 2,
      characters: 5,
      bytes: 15,
      natsPerToken: 5,
      perplexity: Math.exp(5),
      natsPerCharacter: 2,
      bitsPerCharacter: 2 / Math.LN2,
      natsPerByte: 10 / 15,
      bitsPerByte: 10 / 15 / Math.LN2,
    });
  });

  it('says the same of a text in pieces and in one', () => {
    const pieces = fc.array(fc.array(fc.nat(30), { minLength: 1 }), { minLength: 1 });
    fc.assert(
      fc.property(pieces, (losses) => {
        const [parts, whole] = [createTextMeter(), createTextMeter()];
        for (const piece of losses) {
          parts.add(piece, { characters: piece.length, bytes: 2 * piece.length });
        }
        const all = losses.flat();
        whole.add(all, { characters: all.length, bytes: 2 * all.length });

        expect(parts.figures()).toEqual(whole.figures());
      }),
    );
  });

  it('keeps an infinite loss, and refuses what is none and a size that cannot be', () => {
    const meter = createTextMeter();
    expect(meter.figures()).toBeNull();
    const size = { characters: 2, bytes: 2 };

    expect(() => meter.add([1, Number.NaN], size)).toThrow(refusal('loss of token 1 is NaN'));
    expect(() => meter.add([-1, 0], size)).toThrow(refusal('loss of token 0 is -1'));
    expect(() => meter.add([1], { characters: 2, bytes: 1 })).toThrow(
      refusal('a text of 2 characters and 1 bytes for 1 tokens'),
    );
    expect(meter.figures()).toBeNull();
    meter.add([Number.POSITIVE_INFINITY, 0], size);
    expect(meter.figures()?.perplexity).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a confusion meter', () => {
  it('counts by truth and answer, and says precision, recall and F1 of each class', () => {
    const meter = createConfusionMeter(4);
    // Class 3 has neither examples nor answers, class 2 has no answers.
    const pairs = [
      [0, 0],
      [0, 0],
      [0, 1],
      [1, 1],
      [2, 0],
    ] as const;
    for (const [truth, answer] of pairs) meter.add(truth, answer);

    expect(meter.figures()).toEqual({
      count: 5,
      accuracy: 3 / 5,
      balancedAccuracy: (2 / 3 + 1 + 0) / 3,
      macroF1: (2 / 3 + 2 / 3 + 0) / 3,
      matrix: [
        [2, 1, 0, 0],
        [0, 1, 0, 0],
        [1, 0, 0, 0],
        [0, 0, 0, 0],
      ],
      classes: [
        { support: 3, precision: 2 / 3, recall: 2 / 3, f1: 2 / 3 },
        { support: 1, precision: 1 / 2, recall: 1, f1: 2 / 3 },
        { support: 1, precision: null, recall: 0, f1: 0 },
        { support: 0, precision: null, recall: null, f1: null },
      ],
    });
  });

  it('refuses a class that is not there', () => {
    const meter = createConfusionMeter(2);

    expect(meter.figures()).toBeNull();
    expect(() => meter.add(2, 0)).toThrow(refusal('the truth is class 2: expected'));
    expect(() => meter.add(0, -1)).toThrow(refusal('the answer is class -1'));
    expect(() => createConfusionMeter(0)).toThrow(refusal('0 classes'));
  });
});

describe('a calibration meter', () => {
  it('weighs the gaps of its bins by their examples', () => {
    const meter = createCalibrationMeter(5);
    // 0.8 is the upper end of the fourth bin, 1 of the fifth.
    for (const isRight of [true, false]) meter.add(0.8, isRight);
    meter.add(1, true);
    meter.add(0, false);

    const figures = meter.figures()!;

    expect(figures.expectedError).toBeCloseTo((2 * 0.3) / 4, 12);
    expect(figures.maximumError).toBeCloseTo(0.3, 12);
    expect(figures.brierScore).toBeCloseTo((0.04 + 0.64) / 4, 12);
    expect(figures.bins.map(({ count }) => count)).toEqual([1, 0, 0, 2, 1]);
    expect(figures.bins[1]).toEqual({ count: 0, confidence: null, accuracy: null });
    expect(figures.bins[3]).toEqual({ count: 2, confidence: 0.8, accuracy: 0.5 });
  });

  it('refuses what is no probability', () => {
    const meter = createCalibrationMeter();

    expect(meter.figures()).toBeNull();
    for (const confidence of [-0.01, 1.01, Number.NaN]) {
      expect(() => meter.add(confidence, true)).toThrow(refusal(`a confidence of ${confidence}`));
    }
    expect(() => createCalibrationMeter(0)).toThrow(refusal('0 bins'));
  });
});

describe('retrieval', () => {
  it('says recall, reciprocal rank and median rank', () => {
    const meter = createRetrievalMeter([1, 2, 3]);
    meter.add([0.9, 0.5, 0.1], 0); // rank 1
    meter.add([0.9, 0.5, 0.1], 1); // rank 2
    meter.add([0.9, 0.5, 0.1], 2); // rank 3
    meter.add([-1, -3, -2], 0); // rank 1

    const figures = meter.figures()!;

    expect(figures.queries).toBe(4);
    expect([...figures.recallAt]).toEqual([
      [1, 0.5],
      [2, 0.75],
      [3, 1],
    ]);
    expect(figures.meanReciprocalRank).toBeCloseTo((1 + 1 / 2 + 1 / 3 + 1) / 4, 12);
    expect(figures.medianRank).toBe(1.5);
  });

  it('asks a matrix of pairs with its rows and with its columns', () => {
    const { forward, backward } = pairRetrieval([3, 2, 4, 9], 2, [1]);

    expect(forward.recallAt.get(1)).toBe(1);
    expect(backward.recallAt.get(1)).toBe(0.5);
    expect(backward.medianRank).toBe(1.5);
  });

  it('ranks as sorting does where no two are equal', () => {
    const rows = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(rows, fc.nat(), (row, any) => {
        const target = any % row.length;
        const meter = createRetrievalMeter();
        meter.add(row, target);

        const rank = 1 + row.toSorted((a, b) => b - a).indexOf(row[target]!);
        expect(meter.figures()?.medianRank).toBe(rank);
      }),
    );
  });

  it('finds nothing for a model that likes all candidates the same', () => {
    const { forward } = pairRetrieval(new Float32Array(100), 10, [1, 9, 10]);

    expect([...forward.recallAt.values()]).toEqual([0, 0, 1]);
  });

  it('refuses a target that is no candidate, NaN, ranks below 1 and other shapes', () => {
    const meter = createRetrievalMeter();

    expect(meter.figures()).toBeNull();
    expect(() => meter.add([1, 2], 2)).toThrow(refusal('the target is candidate 2: expected one'));
    expect(() => meter.add([1, Number.NaN], 0)).toThrow(refusal('of candidate 1 is NaN'));
    expect(() => createRetrievalMeter([0])).toThrow(refusal('recall at 0'));
    expect(() => pairRetrieval([1, 2, 3], 2)).toThrow(
      expect.objectContaining({ code: 'shape-mismatch' }),
    );
  });
});

describe('a bootstrap', () => {
  // 400 values with mean 199.5 and standard error 5.77, in an order that a seed must not matter to.
  const values = Float64Array.from({ length: 400 }, (_, i) => i);
  const standardError = Math.sqrt((400 ** 2 - 1) / 12 / 400);
  const mean = (places: Uint32Array) =>
    places.reduce((sum, place) => sum + values[place]!, 0) / places.length;
  const poisson = (seed: number, confidence = 0.95) => {
    const bootstrap = createMeanBootstrap({ seed, confidence });
    for (const value of values) bootstrap.add(value);
    return bootstrap.interval()!;
  };

  it.each([
    ['with replacement', bootstrapInterval(values.length, mean, { seed: 1 })],
    ['of a stream', poisson(1)],
  ])('%s reaches as far as the normal approximation of a mean', (_, interval) => {
    expect(interval.value).toBe(199.5);
    // 1000 resamples place a quantile within some percent.
    expect((interval.high - 199.5) / (1.96 * standardError)).toBeCloseTo(1, 0.5);
    expect((199.5 - interval.low) / (1.96 * standardError)).toBeCloseTo(1, 0.5);
  });

  it('gives the same for a seed, something else for another, and more for more confidence', () => {
    const [first, wider] = [poisson(1), poisson(1, 0.99)];

    expect(poisson(1)).toEqual(first);
    expect(poisson(2)).not.toEqual(first);
    expect(wider.low).toBeLessThan(first.low);
    expect(wider.high).toBeGreaterThan(first.high);
  });

  it('weighs pieces by their parts', () => {
    const bootstrap = createMeanBootstrap();
    expect(bootstrap.interval()).toBeNull();
    for (let i = 1; i <= 50; i++) bootstrap.add(2 * i, i);

    const interval = bootstrap.interval()!;
    expect(interval).toEqual({ value: 2, low: 2, high: 2 });
  });

  it('takes statistics that are no means', () => {
    const median = (places: Uint32Array) => {
      const sorted = Float64Array.from(places, (place) => values[place]!).toSorted();
      return (sorted[199]! + sorted[200]!) / 2;
    };

    const { value, low, high } = bootstrapInterval(values.length, median, { resamples: 200 });

    expect(value).toBe(199.5);
    // A median of uniform values has the standard error 1 / (2 f sqrt(n)) = 10.
    expect((high - low) / (2 * 1.96 * 10)).toBeCloseTo(1, 0.5);
  });

  it('refuses what it cannot resample', () => {
    expect(() => bootstrapInterval(0, mean)).toThrow(refusal('a sample of 0'));
    expect(() => createMeanBootstrap({ resamples: 1 })).toThrow(refusal('resamples is 1'));
    expect(() => createMeanBootstrap({ confidence: 1 })).toThrow(refusal('confidence is 1'));
    expect(() => createMeanBootstrap({ seed: -1 })).toThrow(refusal('seed is -1'));
    expect(() => createMeanBootstrap().add(Number.NaN)).toThrow(refusal('sum NaN'));
    expect(() => createMeanBootstrap().add(1, 0)).toThrow(refusal('over 0 parts'));
  });
});
