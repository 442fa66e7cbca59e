import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeDelta,
  decodeOuter,
  encodeDelta,
  encodeOuter,
} from '../../engine/train/delta-file.ts';
import {
  averageDeltas,
  closeRound,
  type Contribution,
  deltaOf,
  dequantise,
  memberDataSeed,
  outerStep,
  parametersDigest,
  QUANTISED_BLOCK,
  quantiseDelta,
  startOuter,
} from '../../engine/train/local-sgd.ts';

const numbers = fc.float({ min: -4, max: 4, noNaN: true });
// Around one and two blocks of numbers that share a scale.
const lengths = fc.constantFrom(1, 63, 255, 256, 257, 512, 600);
const vectorsOf = (length: number) =>
  fc.float32Array({ minLength: length, maxLength: length, min: -4, max: 4, noNaN: true });
const vectors = lengths.chain(vectorsOf);
const seriesOfVectors = lengths.chain((length) =>
  fc.array(vectorsOf(length), { minLength: 1, maxLength: 8 }),
);

describe('a delta in int8', () => {
  it('is off by half of a 127th of the largest number of its block at most', () => {
    fc.assert(
      fc.property(vectors, (delta) => {
        const found = dequantise(quantiseDelta(delta, new Float32Array(delta.length)).delta);

        for (const [i, value] of delta.entries()) {
          const block = Math.floor(i / QUANTISED_BLOCK) * QUANTISED_BLOCK;
          const shared = delta.subarray(block, block + QUANTISED_BLOCK);
          const largest = Math.max(...shared.map(Math.abs));
          expect(Math.abs(found[i]! - value)).toBeLessThanOrEqual((largest / 254) * 1.0001 + 1e-42);
        }
      }),
    );
  });

  it('loses nothing over many rounds: what arrived and the last residual are the true sum', () => {
    fc.assert(
      fc.property(seriesOfVectors, (deltas) => {
        const length = deltas[0]!.length;
        let residual: Float32Array = new Float32Array(length);
        const arrived = new Float64Array(length);
        const sent = new Float64Array(length);
        for (const delta of deltas) {
          const step = quantiseDelta(delta, residual);
          residual = step.residual;
          for (const [i, value] of dequantise(step.delta).entries()) arrived[i]! += value;
          for (const [i, value] of delta.entries()) sent[i]! += value;
        }

        for (const [i, value] of sent.entries()) {
          expect(arrived[i]! + residual[i]!).toBeCloseTo(value, 4);
        }
      }),
    );
  });

  it('carries a number that is always too small to be sent until it is not', () => {
    // Beside 1 the step of the scale is 1/127, and 0.001 alone rounds to nothing.
    const delta = Float32Array.of(1, 0.001);
    let residual: Float32Array = new Float32Array(2);
    const sent: number[] = [];
    for (let round = 0; round < 100; round++) {
      const step = quantiseDelta(delta, residual);
      residual = step.residual;
      sent.push(dequantise(step.delta)[1]!);
    }

    expect(sent[0]).toBe(0);
    expect(sent.reduce((a, b) => a + b, 0)).toBeCloseTo(0.1, 2);
  });

  it('is refused where a number is none', () => {
    for (const value of [Number.NaN, Infinity]) {
      expect(() => quantiseDelta(Float32Array.of(0, value), new Float32Array(2))).toThrow(
        expect.objectContaining({
          code: 'diverged',
          message: `a difference of parameters is ${value}`,
        }),
      );
    }
  });
});

describe('the file of a delta', () => {
  it('gives back an int8 delta bit for bit, in a quarter of the bytes and a header', () => {
    fc.assert(
      fc.property(vectors, (values) => {
        const { delta } = quantiseDelta(values, new Float32Array(values.length));
        const file = encodeDelta(delta);

        expect(decodeDelta(file, 'delta', values.length)).toEqual(delta);
        expect(file.length).toBeLessThanOrEqual(values.length * (1 + 4 / QUANTISED_BLOCK) + 250);
      }),
    );
  });

  it('gives back a float32 delta bit for bit', () => {
    const delta = { kind: 'float32', values: Float32Array.of(1.5, -0, 1e-45) } as const;

    expect(decodeDelta(encodeDelta(delta), 'delta', 3)).toEqual(delta);
  });

  it('is refused for a model of another size, cut off, or with a number that is none', () => {
    const file = encodeDelta({ kind: 'float32', values: Float32Array.of(1, 2) });
    const poisoned = encodeDelta({ kind: 'float32', values: Float32Array.of(1, Infinity) });

    expect(() => decodeDelta(file, 'delta', 3)).toThrow('delta has 2 numbers, the model has 3');
    expect(() => decodeDelta(file.subarray(0, -1), 'delta', 2)).toThrow(
      expect.objectContaining({ code: 'checkpoint-damaged' }),
    );
    expect(() => decodeDelta(poisoned, 'delta', 2)).toThrow('delta: number 1 is Infinity');
  });
});

describe('an outer step', () => {
  const outer = { learningRate: 0.7, momentum: 0.9 };

  it('weighs what members learned by their tokens', () => {
    const average = averageDeltas([given([3, 0], 100), given([-1, 8], 300)]);

    expect([...average]).toEqual([0, 6]);
  });

  it('moves along the average with Nesterov momentum', () => {
    const first = outerStep(startOuter(Float32Array.of(1)), Float32Array.of(0.5), outer);
    const second = outerStep(first, Float32Array.of(0.5), outer);

    // m = 0.5, then 0.95; the parameter falls by 0.7 (0.5 + 0.9 m).
    expect(first.parameters[0]).toBeCloseTo(1 - 0.7 * 0.95, 6);
    expect(second.momentum[0]).toBeCloseTo(0.95, 6);
    expect(second.parameters[0]).toBeCloseTo(1 - 0.7 * 0.95 - 0.7 * (0.5 + 0.9 * 0.95), 6);
  });

  it('of one member at rate 1 without momentum is what the member trained', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(numbers, numbers), { minLength: 1 }), (pairs) => {
        const base = Float32Array.from(pairs, ([value]) => value);
        const local = Float32Array.from(pairs, ([, value]) => value);
        const contribution = { delta: floats(deltaOf(base, local)), tokens: 7 };
        const state = closeRound(startOuter(base), [contribution], {
          learningRate: 1,
          momentum: 0,
        });

        for (const [i, value] of local.entries()) {
          expect(state.parameters[i]).toBeCloseTo(value, 5);
        }
        expect(state).toMatchObject({ round: 1, tokens: 7 });
      }),
    );
  });

  // The digests were computed in Python, from the same equations.
  it('gives these bits, on every machine', () => {
    const wave = (phase: number) =>
      Float32Array.from({ length: 600 }, (_, i) => ((i * 37 + phase) % 101) / 64 - 0.8);
    const start = startOuter(wave(1));
    const round = [1, 2, 3].map((member): Contribution => {
      const { delta } = quantiseDelta(wave(10 * member), wave(member));
      return { delta, tokens: 64 * member };
    });
    const state = closeRound(closeRound(start, round, outer), round.toReversed(), outer);

    expect(parametersDigest(state.parameters)).toBe(
      'sha256:99731dc45cc45b98319ff3dff45f2dde90e20385abac0ad1acb86fa593c796d0',
    );
    expect(parametersDigest(state.momentum)).toBe(
      'sha256:d0c0994e3bdef3b858f915e01d92e72b9232eb7e32f98fd0afa5064b79cd0ab7',
    );
  });

  it('depends on the order of the contributions in its last bits only, so the order must be agreed', () => {
    const round = [given([0.1], 3), given([0.2], 5), given([1e-8], 11), given([-0.3], 7)];

    const orders = [round, round.toReversed()].map((order) => averageDeltas(order)[0]!);
    expect(orders[0]).toBeCloseTo(orders[1]!, 6);
    expect(averageDeltas(round)).toEqual(averageDeltas([...round]));
  });

  it('is refused for deltas of different sizes, and where nothing was trained', () => {
    expect(() => averageDeltas([given([1, 2], 1), given([1], 1)])).toThrow(
      'delta: 1 numbers, expected 2',
    );
    expect(() => closeRound(startOuter(Float32Array.of(1)), [], outer)).toThrow(
      '0 tokens were contributed: expected some',
    );
  });

  it('resumes from its file as if it had never stopped', () => {
    const state = closeRound(startOuter(Float32Array.of(1, 2)), [given([3, 4], 5)], outer);

    expect(decodeOuter(encodeOuter(state), state.parameters)).toEqual(state);
    expect(() => decodeOuter(encodeOuter(state), Float32Array.of(1))).toThrow(
      'outer.safetensors has 2 numbers, the model has 1',
    );
  });
});

it('members of a run never draw the same windows, and draw others in every round', () => {
  const seeds = Array.from({ length: 64 }, (_, i) => memberDataSeed(1, i % 8, Math.floor(i / 8)));

  expect(new Set(seeds).size).toBe(64);
  expect(seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0)).toBe(true);
  expect(memberDataSeed(2, 0, 0)).not.toBe(seeds[0]);
});

function floats(values: Float32Array) {
  return { kind: 'float32', values } as const;
}

function given(values: number[], tokens: number): Contribution {
  return { delta: floats(Float32Array.from(values)), tokens };
}
