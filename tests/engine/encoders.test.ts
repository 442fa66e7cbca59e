import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { openReferenceBackend } from '../../engine/backends/reference/reference-backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { type Code, type Codec, openCodec } from '../../engine/encoders/codec.ts';
import { latencyTable } from '../../engine/encoders/latency.ts';
import { webgpuVariants } from './play.ts';
import { randomSource } from './random.ts';

const WIDTH = 40;
let wasm: Backend;
beforeAll(async () => {
  wasm = await openWasmBackend({ threads: 1 });
});
afterAll(() => wasm.close());

/** Runs `use` with a code for one row of WIDTH numbers. */
async function withCodec<T>(
  code: Code,
  steps: number,
  use: (codec: Codec) => Promise<T>,
): Promise<T> {
  const codec = await openCodec(wasm, code, { steps, rows: 1, width: WIDTH });
  try {
    return await use(codec);
  } finally {
    codec.close();
  }
}

const intensities = fc
  .array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: WIDTH, maxLength: WIDTH })
  .map((values) => Float32Array.from(values));

/** Steps with a spike, for each of `neurons` neurons. */
function timesOf(spikes: Uint32Array, steps: number, neurons: number): number[][] {
  const words = Math.ceil(neurons / 32);
  return Array.from({ length: neurons }, (_, n) =>
    Array.from({ length: steps }, (_unused, t) => t).filter(
      (t) => ((spikes[t * words + (n >>> 5)]! >>> (n & 31)) & 1) === 1,
    ),
  );
}

describe('the rate code', () => {
  it('fires at the requested rate: five standard errors of the mean at most', async () => {
    const steps = 4000;
    const values = Float32Array.from({ length: WIDTH }, (_, n) => n / (WIDTH - 1));

    const decoded = await withCodec({ kind: 'rate', seed: 3 }, steps, async (codec) =>
      codec.decode(await codec.encode(values)),
    );

    for (const [n, x] of values.entries()) {
      const error = Math.abs(decoded[n]! - x);
      expect(error).toBeLessThanOrEqual(5 * Math.sqrt((x * (1 - x)) / steps) + 1e-7);
    }
  });

  it('draws the same spikes on every backend, and others for another draw or seed', async () => {
    const values = randomSource(5).floats(WIDTH, 0, 1);
    const shape = { steps: 9, rows: 1, width: WIDTH };
    const backends = [
      wasm,
      openReferenceBackend(),
      await webgpuVariants['webgpu, register tiles'](),
    ];
    const drawn = await Promise.all(
      backends.map(async (backend) => {
        const codec = await openCodec(backend, { kind: 'rate', seed: 1 }, shape);
        const spikes = await codec.encode(values, 7);
        codec.close();
        return [...spikes];
      }),
    );
    backends.slice(1).forEach((backend) => backend.close());
    const others = await Promise.all([
      withCodec({ kind: 'rate', seed: 1 }, 9, (codec) => codec.encode(values, 8)),
      withCodec({ kind: 'rate', seed: 2 }, 9, (codec) => codec.encode(values, 7)),
    ]);

    expect(drawn[1]).toEqual(drawn[0]);
    expect(drawn[2]).toEqual(drawn[0]);
    for (const other of others) expect([...other]).not.toEqual(drawn[0]);
  });
});

describe('the latency code', () => {
  const [tau, theta, steps] = [5, 0.01, 24];
  const logarithmic: Code = { kind: 'latency', curve: 'logarithmic', tau };

  it('has its spike where the formula puts it, rounded to a step', async () => {
    const values = Float32Array.from({ length: WIDTH }, (_, n) => (n + 1) / WIDTH / 4);

    const spikes = await withCodec(logarithmic, steps, (codec) => codec.encode(values));

    const expected = [...values].map((x) => {
      const time = Math.round(tau * Math.log(x / (x - theta)));
      return x > theta && time < steps ? [time] : [];
    });
    // From none, at 0.00625, over the 8th step, at 0.0125, to the first.
    expect(expected.slice(0, 3)).toEqual([[], [8], [4]]);
    expect(timesOf(spikes, steps, WIDTH)).toEqual(expected);
  });

  it('falls linearly from 1 at the first step to theta at the last', async () => {
    const values = new Float32Array(WIDTH);
    values.set([1, 0.75, 0.5, 0.25, 0.02, 0.01, 0]);

    const spikes = await withCodec({ kind: 'latency', curve: 'linear' }, 5, (codec) =>
      codec.encode(values),
    );

    expect(timesOf(spikes, 5, WIDTH).slice(0, 7)).toEqual([[0], [1], [2], [3], [4], [], []]);
  });

  it.each([logarithmic, { kind: 'latency', curve: 'linear' } as const])(
    'decodes to a number whose spike is the same: %o',
    async (code) => {
      await withCodec(code, steps, (codec) =>
        fc.assert(
          fc.asyncProperty(intensities, async (values) => {
            const spikes = await codec.encode(values);
            const decoded = await codec.decode(spikes);

            expect([...(await codec.encode(decoded))]).toEqual([...spikes]);
            const { bounds } = latencyTable({ ...code, steps });
            for (const [n, [t]] of timesOf(spikes, steps, WIDTH).entries()) {
              // Without a spike a number is at most what the last step still takes, and decodes to 0.
              const high = t === undefined ? bounds[steps]! : Math.min(1, bounds[t]!);
              const low = t === undefined ? 0 : bounds[t + 1]!;
              expect(decoded[n]).toBeGreaterThanOrEqual(low);
              expect(Math.abs(decoded[n]! - values[n]!)).toBeLessThanOrEqual(high - low);
            }
          }),
          { numRuns: 30 },
        ),
      );
    },
  );
});

describe('the delta code', () => {
  const [threshold, steps] = [0.125, 30];

  // The second example of snntorch.spikegen.delta.
  it('says ON where the signal rises by the threshold and OFF where it falls', async () => {
    const signal = new Float32Array(5 * WIDTH);
    for (const [t, x] of [1, 2, 0, 2, 2.9].entries()) signal[t * WIDTH] = x;

    const spikes = await withCodec({ kind: 'delta', threshold: 1, from: 'sample' }, 5, (codec) =>
      codec.encode(signal),
    );

    const times = timesOf(spikes, 5, 2 * WIDTH);
    expect([times[0], times[WIDTH]]).toEqual([[0, 1, 3], [2]]);
    expect(times.flat()).toHaveLength(4);
  });

  it('sent on level, follows a signal that is slow enough to within the threshold', async () => {
    const slow = fc.array(fc.float({ min: -1, max: 1, noNaN: true }), {
      minLength: steps,
      maxLength: steps,
    });
    await withCodec({ kind: 'delta', threshold, from: 'level' }, steps, (codec) =>
      fc.assert(
        fc.asyncProperty(slow, async (changes) => {
          const signal = new Float32Array(steps * WIDTH);
          let x = 0;
          for (const [t, change] of changes.entries()) {
            x += change * threshold;
            signal[t * WIDTH + 3] = x;
          }

          const decoded = await codec.decode(await codec.encode(signal));

          const errors = decoded.map((y, i) => Math.abs(y - signal[i]!));
          expect(Math.max(...errors)).toBeLessThanOrEqual(threshold + 1e-5);
        }),
        { numRuns: 30 },
      ),
    );
  });
});

describe('temporal analog spikes', () => {
  const steps = 50;
  it.each([
    { alpha: 0, rho: 0 },
    { alpha: 0.5, rho: 0.9 },
    { alpha: 2, rho: 0.5 },
    { alpha: 0.1, rho: 1 },
  ])('decode to what was encoded, at most max h / T away: %o', async ({ alpha, rho }) => {
    await withCodec({ kind: 'tas', alpha, rho }, steps, (codec) =>
      fc.assert(
        fc.asyncProperty(intensities, async (values) => {
          const spikes = await codec.encode(values);
          const decoded = await codec.decode(spikes);

          for (const [n, times] of timesOf(spikes, steps, WIDTH).entries()) {
            const largest = largestThreshold(times, steps, { alpha, rho });
            expect(Math.abs(decoded[n]! - values[n]!)).toBeLessThanOrEqual(largest / steps + 1e-5);
          }
        }),
        { numRuns: 30 },
      ),
    );
  });

  it('without adaptation are sigma-delta modulation: x T spikes, evenly spread', async () => {
    const values = Float32Array.from({ length: WIDTH }, (_, n) => (n % 9) / 8);

    const spikes = await withCodec({ kind: 'tas', alpha: 0, rho: 0 }, 64, (codec) =>
      codec.encode(values),
    );

    for (const [n, times] of timesOf(spikes, 64, WIDTH).entries()) {
      expect(times).toHaveLength(values[n]! * 64);
      const gaps = times.slice(1).map((t, i) => t - times[i]!);
      expect(Math.max(...gaps, 1) - Math.min(...gaps, 64)).toBeLessThanOrEqual(1);
    }
  });

  it('with adaptation fire less for the same number', async () => {
    const values = new Float32Array(WIDTH).fill(0.8);
    const count = (alpha: number) =>
      withCodec(
        { kind: 'tas', alpha, rho: 0.9 },
        steps,
        async (codec) => timesOf(await codec.encode(values), steps, WIDTH)[0]!.length,
      );

    expect(await count(1)).toBeLessThan((await count(0)) / 2);
  });
});

function largestThreshold(
  times: readonly number[],
  steps: number,
  { alpha, rho }: { alpha: number; rho: number },
): number {
  let h = 1;
  let largest = 1;
  for (let t = 0; t < steps; t++) {
    h = times.includes(t) ? h + alpha : 1 + rho * (h - 1);
    largest = Math.max(largest, h);
  }
  return largest;
}

describe('what no code can hold is refused with its value', () => {
  const codes: Code[] = [
    { kind: 'rate', seed: 0 },
    { kind: 'latency', curve: 'linear' },
    { kind: 'tas', alpha: 0.1, rho: 0.5 },
  ];
  it.each(
    codes.flatMap((code) => [Number.NaN, -0.25, 1.5, Infinity].map((x) => [code, x] as const)),
  )('%o of %f', async (code, x) => {
    await withCodec(code, 4, async (codec) => {
      const values = new Float32Array(WIDTH);
      values[17] = x;
      await expect(codec.encode(values)).rejects.toMatchObject({
        code: 'signal-invalid',
        message: `${code.kind}: value 17 is ${x}: expected a number from 0 to 1`,
      });
    });
  });

  it('a signal that is no number, and too few numbers', async () => {
    await withCodec({ kind: 'delta', threshold: 1, from: 'sample' }, 2, async (codec) => {
      const values = new Float32Array(2 * WIDTH).fill(Number.NaN, 5, 6);
      await expect(codec.encode(values)).rejects.toThrow(
        'delta: value 5 is NaN: expected a finite',
      );
      await expect(codec.encode(new Float32Array(3))).rejects.toThrow(
        'delta: was given 3 words: expected 80 for [2, 1, 40]',
      );
    });
  });

  it.each([
    [{ kind: 'rate', seed: 0 }, 0, 'rate: T is 0: expected'],
    [{ kind: 'latency', curve: 'logarithmic', tau: 0 }, 5, 'latency: tau is 0'],
    [
      { kind: 'latency', curve: 'logarithmic', tau: 1, theta: 0 },
      5,
      'theta of the logarithmic curve is 0',
    ],
    [{ kind: 'latency', curve: 'linear', theta: Number.NaN }, 5, 'latency: theta is NaN'],
    [{ kind: 'delta', threshold: -1, from: 'level' }, 5, 'delta: threshold is -1'],
    [{ kind: 'tas', alpha: -0.5, rho: 0 }, 5, 'tas: alpha is -0.5'],
    [{ kind: 'tas', alpha: 0, rho: 1.5 }, 5, 'tas: rho is 1.5: expected a number from 0 to 1'],
    [{ kind: 'tas', alpha: 0, rho: 0 }, 1.5, 'tas: T is 1.5: expected'],
  ] as const)('%o over %f steps', async (code, steps, message) => {
    await expect(openCodec(wasm, code, { steps, rows: 1, width: 1 })).rejects.toThrow(message);
  });
});
