import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coefficientOfVariation,
  countCorrelation,
  fanoFactor,
  intervalsOf,
  localVariation,
  phaseOrder,
  populationSynchrony,
  rateHz,
  type SpikeTrain,
  spikeTrainsOf,
  vanRossum,
  victorPurpura,
} from '../../engine/index.ts';
import { randomSource } from './random.ts';

const DURATION = 200_000;

/** A Poisson process of `rate` events a millisecond; with a dead time its intervals are more regular. */
function process(seed: number, rate: number, deadTime = 0): number[] {
  const source = randomSource(seed);
  const times: number[] = [];
  for (let t = 0; ;) {
    t += deadTime - Math.log(1 - source.uniform(0, 1)) / rate;
    if (t >= DURATION) return times;
    times.push(t);
  }
}

const clock = (period: number) =>
  Array.from({ length: Math.floor(DURATION / period) }, (_, i) => i * period);

/** Ascending times in ms. */
const trains = fc
  .array(fc.integer({ min: 0, max: 4000 }), { maxLength: 12 })
  .map((times) => times.toSorted((a, b) => a - b).map((time) => time / 20));

describe('statistics of a spike train', () => {
  it('reads trains from a raster', () => {
    // [T = 3][N = 2]
    expect(spikeTrainsOf([1, 0, 0, 1, 1, 1], [3, 2], 0.5)).toEqual([
      [0, 1],
      [0.5, 1],
    ]);
    expect(() => spikeTrainsOf([1, 0, 0], [3, 2])).toThrow('a raster of 3 values is not [3, 2]');
  });

  it('is nothing where there are too few spikes to say', () => {
    expect(coefficientOfVariation([1, 2])).toBeNull();
    expect(localVariation([1])).toBeNull();
    expect(fanoFactor([], 100, 10)).toBeNull();
    expect(intervalsOf([5])).toEqual([]);
  });

  it('of a clock: no variation at all', () => {
    const train = clock(10);

    expect(rateHz(train, DURATION)).toBe(100);
    expect(coefficientOfVariation(train)).toBe(0);
    expect(localVariation(train)).toBe(0);
    expect(fanoFactor(train, DURATION, 50)).toBe(0);
  });

  it('of a Poisson process: CV, CV2 and Fano factor 1', () => {
    const train = process(1, 0.1);

    expect(rateHz(train, DURATION)).toBeCloseTo(100, -1);
    expect(coefficientOfVariation(train)).toBeCloseTo(1, 1);
    expect(localVariation(train)).toBeCloseTo(1, 1);
    expect(fanoFactor(train, DURATION, 100)).toBeCloseTo(1, 1);
  });

  it('of a Poisson process with a dead time: CV = 1 - rate * dead time', () => {
    const train = process(2, 0.1, 10);

    // Intervals of 10 + 10: mean 20, deviation 10.
    expect(coefficientOfVariation(train)).toBeCloseTo(0.5, 1);
    // The renewal theorem: the Fano factor of long windows is CV squared.
    expect(fanoFactor(train, DURATION, 2000)).toBeCloseTo(0.25, 1);
  });

  it('CV2 does not see a slow change of the rate, CV does', () => {
    const slowing = Array.from({ length: 400 }, (_, i) => i ** 2 / 10);

    expect(coefficientOfVariation(slowing)).toBeGreaterThan(0.5);
    expect(localVariation(slowing)).toBeLessThan(0.03);
  });

  it.each([0, -1, Number.NaN])('refuses a window of %s', (window) => {
    expect(() => fanoFactor([1, 2], 100, window)).toThrow(`a window of ${window}`);
  });
});

describe.each([
  ['van Rossum', (a: SpikeTrain, b: SpikeTrain) => vanRossum(a, b, 10)],
  ['Victor-Purpura', (a: SpikeTrain, b: SpikeTrain) => victorPurpura(a, b, 0.2)],
])('the %s distance', (_, distance) => {
  it('is a metric', () => {
    fc.assert(
      fc.property(trains, trains, trains, (a, b, c) => {
        expect(distance(a, a)).toBeCloseTo(0, 6);
        expect(distance(a, b)).toBeCloseTo(distance(b, a), 9);
        expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c) + 1e-6);
      }),
    );
  });
});

describe('the Victor-Purpura distance', () => {
  it('is the difference of counts where moving is free', () => {
    fc.assert(
      fc.property(trains, trains, (a, b) => {
        expect(victorPurpura(a, b, 0)).toBe(Math.abs(a.length - b.length));
      }),
    );
  });

  it('moves a spike as long as that is cheaper than two changes', () => {
    expect(victorPurpura([10], [13], 0.2)).toBeCloseTo(0.6, 12);
    expect(victorPurpura([10], [30], 0.2)).toBe(2);
    expect(victorPurpura([10, 20, 50], [12, 50], 0.5)).toBe(2);
  });

  it('is what trying all alignments gives', () => {
    fc.assert(
      fc.property(
        trains.filter(({ length }) => length <= 5),
        trains.filter(({ length }) => length <= 5),
        (a, b) => {
          expect(victorPurpura(a, b, 0.3)).toBeCloseTo(cheapest(a, b, 0.3), 9);
        },
      ),
    );
  });
});

function cheapest(a: SpikeTrain, b: SpikeTrain, cost: number): number {
  const [x, ...restA] = a;
  const [y, ...restB] = b;
  if (x === undefined || y === undefined) return a.length + b.length;
  return Math.min(
    1 + cheapest(restA, b, cost),
    1 + cheapest(a, restB, cost),
    cost * Math.abs(x - y) + cheapest(restA, restB, cost),
  );
}

describe('the van Rossum distance', () => {
  it('of one spike more is the root of one half', () => {
    expect(vanRossum([], [7], 10)).toBeCloseTo(Math.SQRT1_2, 12);
    expect(vanRossum([100], [100, 100_000], 10)).toBeCloseTo(Math.SQRT1_2, 12);
  });

  it('is the integral that defines it', () => {
    const [a, b, tau] = [[3, 17, 18.5, 40], [5, 18.5, 60], 8];

    expect(vanRossum(a, b, tau) ** 2).toBeCloseTo(integrated(a, b, tau), 3);
  });
});

/** 1/tau times the integral of the squared difference of the filtered trains, by small steps. */
function integrated(a: SpikeTrain, b: SpikeTrain, tau: number): number {
  const filtered = (train: SpikeTrain, t: number) =>
    train.reduce((sum, spike) => sum + (t >= spike ? Math.exp((spike - t) / tau) : 0), 0);
  const step = 0.001;
  let sum = 0;
  for (let t = step / 2; t < 200; t += step) {
    sum += (filtered(a, t) - filtered(b, t)) ** 2 * step;
  }
  return sum / tau;
}

describe('synchrony', () => {
  it('is 1 where all fire together and 1/sqrt(N) where each fires by itself', () => {
    const one = process(3, 0.05);
    const count = 100;
    const alone = Array.from({ length: count }, (_, i) => process(10 + i, 0.005));

    expect(populationSynchrony(Array(count).fill(one), DURATION, 20)).toBeCloseTo(1, 9);
    expect(populationSynchrony(alone, DURATION, 20)).toBeCloseTo(1 / Math.sqrt(count), 2);
    expect(populationSynchrony([[], []], DURATION, 20)).toBeNull();
  });

  it('correlates counts', () => {
    const [a, b] = [process(4, 0.05), process(5, 0.05)];

    expect(countCorrelation(a, a, DURATION, 50)).toBeCloseTo(1, 9);
    expect(Math.abs(countCorrelation(a, b, DURATION, 50) ?? 1)).toBeLessThan(0.05);
    expect(countCorrelation(a, [], DURATION, 50)).toBeNull();
  });

  it('orders phases', () => {
    const around = Array.from({ length: 12 }, (_, i) => (2 * Math.PI * i) / 12);

    expect(phaseOrder([0.3, 0.3, 0.3])).toBeCloseTo(1, 12);
    expect(phaseOrder(around)).toBeCloseTo(0, 12);
  });
});
