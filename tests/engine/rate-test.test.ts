import { describe, expect, it } from 'vitest';
import { chooseSettings } from '../../engine/models/choices.ts';
import { loadFamily } from '../../engine/models/load-family.ts';
import { readRateTest, testRates } from '../../engine/models/rate-test.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { dataFiles } from './captioned-files.ts';
import { wasmVariants } from './play.ts';

/** A loss that falls from 4 to 2 around one rate and rises again, over the rates of the test. */
const valley = (bottom: number) =>
  Array.from({ length: 100 }, (_, step) => {
    const decades = -5 + (5 * step) / 99 - Math.log10(bottom);
    return 4 - 2 * Math.exp(-(decades ** 2) / 0.5);
  });

describe('a range test of the learning rate', () => {
  // The valley is steepest half a decade before its bottom.
  it.each([1e-3, 1e-2, 1e-1])(
    'is halfway between the steepest fall and the bottom, %f',
    (bottom) => {
      const { chosen, rates, reason } = readRateTest(valley(bottom));

      // In decades; the rates of the test are a twentieth of one apart.
      expect(Math.abs(Math.log10(chosen / bottom) + 0.25)).toBeLessThan(0.1);
      expect(rates[0]).toBeCloseTo(1e-5);
      expect(rates.at(-1)).toBeCloseTo(1);
      expect(reason).toContain('a range test of 100 steps');
    },
  );

  it('refuses to choose where no rate lowers the loss', () => {
    const rising = Array.from({ length: 40 }, (_, step) => 4 + step / 10);

    expect(() => readRateTest(rising)).toThrow(
      'no rate from 0.00001 to 1 lowered the loss of 4.000: expected a rate in place of auto',
    );
  });

  it('finds one for a network, which learns with it, and tries no more where the loss is lost', async () => {
    const backend = await wasmVariants['wasm, relaxed, 1 thread']();
    const family = await loadFamily('standard_transformer');
    const settings = chooseSettings({
      architecture: 'standard_transformer',
      fields: { d_model: 16, n_heads: 2, num_blocks: 1, seq_len: 16, ngram_order: 0 },
      batch: 4,
      budget: { kind: 'steps', steps: 40 },
    });
    const text = new TextEncoder().encode('To be, or not to be. '.repeat(200));
    const data = await family.openData(dataFiles({ 'text.txt': text }), settings);
    const place = { family, backend, data, controls: stableBaseline };

    const test = await testRates(settings, place);
    const again = await testRates(settings, place);

    expect(again).toEqual(test);
    expect(test.rates).toHaveLength(test.losses.length);
    expect(test.losses.every(Number.isFinite)).toBe(true);
    const rated = { ...settings, learningRate: test.chosen };
    const run = await family.createRun(
      { backend, settings: rated, controls: stableBaseline },
      data,
    );
    const { losses } = await run.advance(40);
    expect(losses.at(-1)).toBeLessThan(losses[0]! - 0.5);
    run.close();
    backend.close();
  });
});
