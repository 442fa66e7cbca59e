import { beforeAll, describe, expect, it } from 'vitest';
import { arrayExamples } from '../../engine/data/arrays/array-examples.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import {
  adamW,
  crossEntropy,
  crossEntropyPerStep,
  dropout,
  evaluate,
  type ExampleArrays,
  fit,
  type FitOptions,
  type Schedule,
  init,
  lif,
  linear,
  sequential,
  squaredError,
} from '../../library/index.ts';
import { reference, triedVariants } from './play.ts';
import { randomSource } from './random.ts';

/** Points around three centres. */
function blobs(count: number, seed: number): ExampleArrays {
  const from = randomSource(seed);
  const y = Uint8Array.from({ length: count }, (_, i) => i % 3);
  const centres = [
    [2, 0],
    [-1, 1.5],
    [-1, -1.5],
  ] as const;
  const x = new Float32Array(2 * count);
  for (const [i, label] of y.entries()) {
    const [a, b] = centres[label]!;
    x.set([a + from.uniform(-0.7, 0.7), b + from.uniform(-0.7, 0.7)], 2 * i);
  }
  return { x, y };
}

const network = sequential([linear(16), lif({ beta: 0.8 }), linear(3), lif({ beta: 0.8 })], {
  input: 2,
  steps: 6,
});
const options = {
  loss: crossEntropyPerStep(),
  optimizer: adamW(0.02),
  batchSize: 20,
  seed: 5,
} satisfies FitOptions;
const train = blobs(120, 1);
const unseen = blobs(61, 2);

async function trained(device: Backend, more: Partial<FitOptions> = {}) {
  const model = await init(network, { device, seed: 4 });
  const history = await fit(model, train, { ...options, epochs: 6, ...more });
  return { model, history };
}

describe('training', () => {
  let expected: Awaited<ReturnType<typeof trained>>;
  beforeAll(async () => {
    expected = await trained(reference);
  });

  it.each(Object.entries(triedVariants))(
    'learns on %s what it learns on the reference',
    async (_name, open) => {
      const backend = await open();
      const { model, history } = await trained(backend);
      const { accuracy, loss, count } = await evaluate(model, unseen, { loss: options.loss });
      backend.close();

      expect(history).toMatchObject({ ended: 'epochs', step: 36 });
      expect(history.losses[0]).toBeCloseTo(expected.history.losses[0]!, 4);
      expect(count).toBe(61);
      expect(accuracy).toBeGreaterThan(0.95);
      expect(loss).toBeLessThan(0.7);
    },
  );

  it('gives the same digits from one seed', async () => {
    const [first, second, other] = await Promise.all([
      trained(reference),
      trained(reference),
      trained(reference, { seed: 6 }),
    ]);

    expect(second.model.values).toEqual(first.model.values);
    expect(other.model.values).not.toEqual(first.model.values);
  });

  it.each([
    ['between epochs', 12],
    ['in the middle of one', 15],
  ])('goes on %s as if there had been no break', async (_name, stopAt) => {
    // Files hold float32, as are the numbers of WASM.
    const backend = await openWasmBackend({ threads: 1 });
    const halved: Schedule = (step, total) => 1 - step / total / 2;
    const whole = await trained(backend, { epochs: 4, schedule: halved });
    const controller = new AbortController();

    const first = await trained(backend, {
      epochs: 4,
      signal: controller.signal,
      schedule(step, total) {
        if (step + 1 === stopAt) controller.abort();
        return halved(step, total);
      },
    });
    const fresh = await init(network, { device: backend, seed: 99 });
    const second = await fit(fresh, train, {
      ...options,
      epochs: 4,
      schedule: halved,
      resume: first.history.save(),
    });
    backend.close();

    expect(first.history).toMatchObject({ ended: 'aborted', step: stopAt });
    expect(second).toMatchObject({ ended: 'epochs', step: 24 });
    expect([...first.history.losses, ...second.losses]).toEqual([...whole.history.losses]);
    expect(fresh.values).toEqual(whole.model.values);
  });

  it('takes batches of any sizes from what can be iterated', async () => {
    const sizes: number[] = [];
    const model = await init(network, { device: reference, seed: 4 });

    const { step } = await fit(model, () => inBatches(train, 7, sizes), { ...options, epochs: 3 });

    expect(step).toBe(18);
    expect(sizes).toHaveLength(3 * Math.ceil(120 / 7));
    const { accuracy } = await evaluate(model, () => inBatches(unseen, 9, sizes));
    expect(accuracy).toBe((await evaluate(model, unseen)).accuracy);
  });

  it('takes examples of spikegrid/data as it takes arrays, augmented where it learns', async () => {
    const examples = arrayExamples(train);
    const altered: number[] = [];
    const watched: typeof examples = {
      ...examples,
      write(example, to, alteration) {
        if (alteration) altered.push(example);
        examples.write(example, to);
      },
    };
    const model = await init(network, { device: reference, seed: 4 });

    await fit(model, watched, { ...options, epochs: 6, validation: arrayExamples(unseen) });

    expect(model.values).toEqual((await trained(reference)).model.values);
    expect(altered).toHaveLength(6 * 120);
  });

  it('stops when the validation gets no better, with the best parameters', async () => {
    const seen: number[] = [];
    const { model, history } = await trained(reference, {
      epochs: 50,
      validation: unseen,
      optimizer: adamW(0.3),
      earlyStopping: { patience: 2 },
      keepBest: true,
      onEpoch: ({ validation }) => void seen.push(validation!.loss!),
    });

    const best = Math.min(...seen);
    expect(history.ended).toBe('early');
    expect(history.epochs).toHaveLength(history.best! + 2);
    expect(seen[history.best! - 1]).toBe(best);
    expect((await evaluate(model, unseen, { loss: options.loss })).loss).toBeCloseTo(best, 8);
  });

  it('reports, and ends where a signal says so', async () => {
    const controller = new AbortController();
    const reports: number[] = [];
    const { history } = await trained(reference, {
      epochs: 40,
      signal: controller.signal,
      onReport({ step, loss }) {
        reports.push(loss);
        if (step >= 12) controller.abort();
      },
    });

    expect(history).toMatchObject({ ended: 'aborted', step: 12 });
    expect(reports).toHaveLength(2);
  });

  it('fits numbers, and drops nothing when it predicts', async () => {
    const line = sequential([linear(8), dropout(0.2), linear(1)], { input: 1 });
    const model = await init(line, { device: reference });
    const x = Float32Array.from({ length: 64 }, (_, i) => i / 32 - 1);
    const data = { x, y: x.map((value) => 0.5 - value) };

    await fit(model, data, {
      loss: squaredError({ on: 'values' }),
      optimizer: adamW(0.05),
      epochs: 30,
      batchSize: 16,
    });

    const { scores } = await model.predict(Float32Array.of(-1, 0, 1));
    for (const [i, y] of [1.5, 0.5, -0.5].entries())
      expect(Math.abs(scores[i]! - y)).toBeLessThan(0.3);
    expect(await model.predict(x)).toEqual(await model.predict(x));
  });

  it('takes spikes over time, packed or as bytes', async () => {
    const from = randomSource(3);
    const spikes = Uint8Array.from({ length: 30 * 6 * 33 }, () =>
      from.uniform(0, 1) < 0.3 ? 1 : 0,
    );
    const packed = new Uint32Array(30 * 6 * 2);
    for (const [i, spike] of spikes.entries()) {
      const [row, bit] = [Math.floor(i / 33), i % 33];
      packed[2 * row + (bit >> 5)]! |= spike << (bit & 31);
    }
    const y = Array.from({ length: 30 }, (_, i) => i % 2);
    const values = [spikes, packed].map(async (x) => {
      const trains = sequential([linear(5), lif(), linear(2), lif()], { input: 33, steps: 6 });
      const model = await init(trains, { device: reference });
      await fit(
        model,
        { x, y },
        { loss: crossEntropy({ on: 'membranes-max' }), optimizer: adamW(0.01), batchSize: 10 },
      );
      return model.values;
    });

    const [bytes, words] = await Promise.all(values);
    expect(words).toEqual(bytes);
  });
});

function* inBatches(
  { x, y }: ExampleArrays,
  size: number,
  sizes: number[],
): Generator<ExampleArrays> {
  for (let first = 0; first < y.length; first += size) {
    const end = Math.min(first + size, y.length);
    sizes.push(end - first);
    const width = x.length / y.length;
    yield {
      x: (x as Float32Array).slice(first * width, end * width),
      y: (y as Uint8Array).slice(first, end),
    };
  }
}
