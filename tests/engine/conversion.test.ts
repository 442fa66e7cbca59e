import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { type StoredModel } from '../../engine/checkpoint/checkpoint.ts';
import { modelOf } from '../../engine/models/stored-model.ts';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import {
  type Conversion,
  convertTransformer,
} from '../../engine/models/standard-transformer/conversion.ts';
import type { TransformerSpec } from '../../engine/models/standard-transformer/family.ts';
import { openNovel } from './novel.ts';
import { variants } from './play.ts';
import { trainedTransformer } from './transformer-run.ts';

describe('a transformer converted to spikes', () => {
  let corpus: Corpus;
  let backend: Backend;
  let stored: StoredModel<TransformerSpec>;
  let conversion: Conversion;
  const told: number[] = [];
  beforeAll(async () => {
    corpus = await openNovel();
    backend = await variants['wasm, relaxed, 2 threads']();
    const trained = await trainedTransformer(backend, corpus, 150);
    stored = modelOf(trained.stored, 'standard_transformer');
    conversion = await convertTransformer(backend, stored, corpus, {
      timeSteps: [1, 4, 16, 128],
      windows: 77,
      onResult: ({ timeSteps }) => told.push(timeSteps),
    });
  });
  afterAll(() => backend.close());

  it('is as good as the float model with many steps, and worse with few', () => {
    const [one, few, more, many] = conversion.results.map(({ lost }) => lost);

    expect(conversion.tokens).toBe(77 * 16);
    expect(Math.abs(many!)).toBeLessThan(0.005);
    expect(one).toBeGreaterThan(few!);
    expect(few).toBeGreaterThan(Math.abs(more!));
    for (const { loss, lost } of conversion.results) expect(loss - lost).toBe(conversion.loss);
  });

  it('reports each result as it comes', () => {
    expect(told).toEqual([1, 4, 16, 128]);
  });

  it('says how much its neurons fire and what that takes', () => {
    const products = 12 * 16 ** 2 + 16 * corpus.tokenizer.size;
    for (const { timeSteps, rate, synapticOps, denseMacs, energy } of conversion.results) {
      expect(rate).toBeGreaterThan(0.01);
      // Of two neurons for a number at most one fires.
      expect(rate).toBeLessThan(0.5);
      expect(denseMacs).toBe(products);
      expect(synapticOps).toBeLessThan(timeSteps * products);
      expect(energy.denseComputePj).toBeCloseTo(4.6 * products, 5);
    }
  });

  it('computes the same on a GPU', async () => {
    const webgpu = await variants['webgpu, register tiles']();
    const options = { timeSteps: [4], windows: 4 };
    const [there, here] = await Promise.all(
      [webgpu, backend].map((one) => convertTransformer(one, stored, corpus, options)),
    );
    webgpu.close();

    expect(there!.loss).toBeCloseTo(here!.loss, 4);
    // A number next to where the rounding changes may fall on either side of it.
    expect(there!.results[0]!.loss).toBeCloseTo(here!.results[0]!.loss, 2);
  });

  it.each([
    [{ timeSteps: [4, 0] }, 'time_steps is 0: expected a whole number of at least 1'],
    [{ timeSteps: [1], windows: 0.5 }, 'windows is 0.5: expected a whole number of at least 1'],
  ])('refuses %o', async (options, message) => {
    await expect(convertTransformer(backend, stored, corpus, options)).rejects.toThrow(message);
  });
});
