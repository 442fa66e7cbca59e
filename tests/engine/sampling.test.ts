import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkSampling,
  defaultSampling,
  type Sampling,
  sampleToken,
} from '../../engine/models/language/sampling.ts';

const all: Sampling = { temperature: 1, topK: 0, topP: 1, seed: 1 };

const logits = fc
  .array(fc.float({ min: -20, max: 20, noNaN: true }), { minLength: 1, maxLength: 30 })
  .map((values) => Float32Array.from(values));
const temperatures = fc.double({ min: 0.05, max: 5, noNaN: true });
const positions = fc.nat(1_000_000);

describe('a token is drawn', () => {
  it('as the most likely one at temperature 0, the first of equals', () => {
    fc.assert(
      fc.property(
        logits,
        fc.record({ topK: fc.nat(9), topP: fc.constantFrom(0.1, 1) }),
        (scores, cut) => {
          const drawn = sampleToken(scores, { ...all, ...cut, temperature: 0 }, 5);
          expect(drawn).toBe(scores.indexOf(Math.max(...scores)));
        },
      ),
    );
  });

  it('from the top k only, and from each of them', () => {
    fc.assert(
      fc.property(
        logits,
        fc.integer({ min: 1, max: 40 }),
        temperatures,
        (scores, topK, temperature) => {
          const best = byLikelihood(scores).slice(0, topK);
          const drawn = drawMany(scores, { ...all, topK, temperature }, 40);
          expect(best).toEqual(expect.arrayContaining([...drawn]));
        },
      ),
    );
    const flat = new Float32Array(6).fill(0.5);
    expect(drawMany(flat, { ...all, topK: 4 }, 200)).toEqual(new Set([0, 1, 2, 3]));
  });

  it('from the fewest tokens that together reach top p, and from each of them', () => {
    const shares = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(logits, shares, temperatures, (scores, topP, temperature) => {
        const kept = nucleus(scores, temperature, topP);
        const drawn = drawMany(scores, { ...all, topP, temperature }, 40);
        expect(kept).toEqual(expect.arrayContaining([...drawn]));
      }),
    );
    // Probabilities of 0.5, 0.25, 0.125, 0.125: three reach 0.8.
    const halves = Float32Array.of(2, 4, 3, 2).map((power) => power * Math.LN2);
    expect(drawMany(halves, { ...all, topP: 0.8 }, 300)).toEqual(new Set([1, 2, 0]));
    expect(drawMany(halves, { ...all, topP: 0.5 }, 300)).toEqual(new Set([1]));
  });

  it('from the nucleus of the top k when both are given', () => {
    // Of the top 2 the first has two thirds.
    const halves = Float32Array.of(2, 4, 3, 2).map((power) => power * Math.LN2);

    expect(drawMany(halves, { ...all, topK: 2, topP: 0.66 }, 300)).toEqual(new Set([1]));
    expect(drawMany(halves, { ...all, topK: 2, topP: 0.68 }, 300)).toEqual(new Set([1, 2]));
  });

  it.each([0.5, 1, 2])('as often as the softmax says at temperature %d', (temperature) => {
    const scores = Float32Array.of(0.3, -1, 2, 1.2, 0, -0.4);
    const draws = 20_000;
    const counts = new Float64Array(scores.length);
    for (let position = 0; position < draws; position++) {
      counts[sampleToken(scores, { ...all, temperature }, position)]! += 1;
    }

    const expected = softmax(scores, temperature).map((p) => p * draws);
    const chiSquared = expected.reduce((sum, e, i) => sum + (counts[i]! - e) ** 2 / e, 0);
    // Five degrees of freedom: one in ten thousand lies above 25.7.
    expect(chiSquared).toBeLessThan(25.7);
  });

  it('never where the logit is minus infinity', () => {
    const scores = Float32Array.of(Number.NEGATIVE_INFINITY, 0, Number.NEGATIVE_INFINITY, 0);

    expect(drawMany(scores, { ...all, temperature: 5 }, 300)).toEqual(new Set([1, 3]));
  });

  it('the same for the same seed and position, whatever was drawn before', () => {
    fc.assert(
      fc.property(logits, fc.maxSafeNat(), positions, (scores, seed, position) => {
        const draw = () => sampleToken(scores, { ...all, seed }, position);
        const first = draw();
        drawMany(scores, all, 3);
        expect(draw()).toBe(first);
      }),
    );
  });

  it('anew for another seed or another position', () => {
    const flat = new Float32Array(1000);
    const at = (seed: number, position: number) => sampleToken(flat, { ...all, seed }, position);

    const drawn = [at(1, 0), at(1, 1), at(1, 2), at(2, 0), at(1 + 2 ** 32, 0)];
    expect(new Set(drawn).size).toBe(drawn.length);
  });
});

describe('sampling refuses', () => {
  it.each<[Partial<Sampling>, string]>([
    [{ temperature: -0.1 }, 'temperature is -0.1: expected 0 or a positive number'],
    [{ temperature: Number.NaN }, 'temperature is NaN: expected 0 or a positive number'],
    [
      { temperature: Number.POSITIVE_INFINITY },
      'temperature is Infinity: expected 0 or a positive number',
    ],
    [{ topK: -1 }, 'top_k is -1: expected a whole number, 0 for all'],
    [{ topK: 2.5 }, 'top_k is 2.5: expected a whole number, 0 for all'],
    [{ topP: 0 }, 'top_p is 0: expected a number above 0, up to 1'],
    [{ topP: 1.01 }, 'top_p is 1.01: expected a number above 0, up to 1'],
    [{ topP: Number.NaN }, 'top_p is NaN: expected a number above 0, up to 1'],
    [{ seed: -1 }, 'seed is -1: expected a whole number of at least 0'],
    [{ seed: 2 ** 53 }, 'seed is 9007199254740992: expected a whole number of at least 0'],
  ])('%j, naming it and what was expected', (changes, message) => {
    expect(() => checkSampling({ ...all, ...changes })).toThrow(
      expect.objectContaining({ code: 'invalid-setting', message }),
    );
  });

  it('nothing of the defaults, and no temperature of 0', () => {
    expect(() => checkSampling(defaultSampling)).not.toThrow();
    expect(() => checkSampling({ ...all, temperature: 0 })).not.toThrow();
  });
});

function drawMany(scores: Float32Array, sampling: Sampling, count: number): Set<number> {
  return new Set(Array.from({ length: count }, (_, i) => sampleToken(scores, sampling, i)));
}

function byLikelihood(scores: Float32Array): number[] {
  return [...scores.keys()].toSorted((a, b) => scores[b]! - scores[a]! || a - b);
}

function softmax(scores: Float32Array, temperature: number): number[] {
  const powers = Array.from(scores, (score) =>
    Math.exp((score - Math.max(...scores)) / temperature),
  );
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** Tokens from the likeliest on until they reach the share; one more where rounding decides. */
function nucleus(scores: Float32Array, temperature: number, share: number): number[] {
  const probabilities = softmax(scores, temperature);
  const kept: number[] = [];
  let reached = 0;
  for (const id of byLikelihood(scores)) {
    if (reached >= share * (1 + 1e-12)) break;
    kept.push(id);
    reached += probabilities[id]!;
  }
  return kept;
}
