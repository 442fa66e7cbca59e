import { describe, expect, it } from 'vitest';
import {
  adamW,
  cosineRate,
  crossEntropyPerStep,
  evaluate,
  fit,
  type FitOptions,
  init,
  lif,
  linear,
  planFit,
  sequential,
} from '../../library/index.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

const network = sequential([linear(16), lif(), linear(2), lif()], { input: 3, steps: 5 });
const loss = crossEntropyPerStep();
const data = points(96);

/** Points in two corners of a cube. */
function points(count: number) {
  const from = randomSource(7);
  const y = Uint8Array.from({ length: count }, (_, i) => i % 2);
  const x = Float32Array.from({ length: 3 * count }, (_, i) => {
    const corner = y[Math.floor(i / 3)] === 1 ? 2 : -1;
    return corner + from.uniform(-0.5, 0.5);
  });
  return { x, y };
}

async function trained(options: Partial<FitOptions> = {}) {
  const model = await init(network, { device: reference, seed: 1 });
  const rates: number[] = [];
  await fit(model, data, {
    loss,
    epochs: 2,
    onReport: ({ learningRate }) => rates.push(learningRate),
    ...options,
  });
  return { model, rates };
}

describe('training without an optimizer', () => {
  it('learns, at a rate that falls', async () => {
    const { model, rates } = await trained({ epochs: 12, batchSize: 4 });
    const { accuracy } = await evaluate(model, data);

    expect(accuracy).toBeGreaterThan(0.95);
    expect(rates[0]).toBeLessThanOrEqual(3e-3);
    expect(rates.at(-1)).toBeLessThan(1e-3);
  });

  it('is AdamW at the rate of the recipe, along half a cosine', async () => {
    const { model } = await trained();
    const named = await trained({ optimizer: adamW(3e-3), schedule: cosineRate() });

    expect(model.values).toEqual(named.model.values);
  });

  it('leaves an optimizer and a schedule that are given as they are', async () => {
    const own = await trained({ optimizer: adamW(1e-2) });
    const held = await trained({ schedule: () => 1 });

    expect(new Set(own.rates)).toEqual(new Set([Math.fround(1e-2)]));
    expect(new Set(held.rates)).toEqual(new Set([Math.fround(3e-3)]));
  });

  it('asks for the steps of data that is iterated, as a schedule does', async () => {
    const model = await init(network, { device: reference });
    const iterated = { [Symbol.iterator]: () => [data][Symbol.iterator]() };

    await expect(fit(model, iterated, { loss })).rejects.toThrow(/expected stepsPerEpoch/);
  });

  it('is planned as it is trained', () => {
    const named = planFit(network, { loss, optimizer: adamW(1e-3) });

    expect(planFit(network, { loss }).memory).toEqual(named.memory);
  });
});
