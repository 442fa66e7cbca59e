import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, openBackend } from '../../../engine/index.ts';
import { measureSynchrony } from '../../../web/neuron-lab/host/measure-synchrony.ts';
import { measureWindow } from '../../../web/neuron-lab/host/measure-window.ts';
import { criticalCoupling } from '../../../web/neuron-lab/measurements.ts';

describe('what the Neuron lab measures on the simulator', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await openBackend('wasm', { gpu: undefined, threads: 1 });
  });
  afterAll(() => backend.close());

  it('is the STDP window of the pair rule, as its formula has it', async () => {
    const parameters = { amplitudePlus: 0.02, amplitudeMinus: 0.01, tauPlus: 10, tauMinus: 30 };
    const delays = [-60, -10, -2, 2, 10, 60];
    const changes = await measureWindow(backend, {
      rule: 'stdp',
      parameters,
      delays,
      pairings: 1,
      frequency: 1,
    });
    const expected = delays.map((ms) =>
      ms > 0 ? 0.02 * Math.exp(-ms / 10) : -0.01 * Math.exp(ms / 30),
    );
    for (const [i, change] of changes.entries()) expect(change).toBeCloseTo(expected[i]!, 6);
  });

  it('is a synchrony that rises above the critical coupling', async () => {
    const spread = 0.02;
    const critical = criticalCoupling(spread);
    const couplings = [0, 0.4 * critical, 2.5 * critical];
    const [free, weak, strong] = await measureSynchrony(backend, { couplings, spread, seed: 7 });
    // Of the order of 1 / sqrt(400) without coupling.
    expect(free).toBeLessThan(0.12);
    expect(weak).toBeLessThan(0.25);
    expect(strong).toBeGreaterThan(0.85);
  });
});
