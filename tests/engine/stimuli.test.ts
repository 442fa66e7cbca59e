import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import type { StimulusSpec } from '../../engine/simulator/description.ts';
import { createSimulation } from '../../engine/simulator/simulation.ts';
import { spikeStatistics } from '../../engine/simulator/statistics.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await openWasmBackend({ threads: 1 });
});
afterAll(() => backend.close());

const COUNT = 40_000;

/** The membranes of neurons with full leak after a step: their input. */
async function inputsOf(stimulus: StimulusSpec, steps: number): Promise<Float32Array> {
  const simulation = await createSimulation(backend, {
    seed: 11,
    dt: 1,
    populations: [
      {
        name: 'cells',
        count: COUNT,
        model: 'lif_reset',
        parameters: { tau: 0.01, threshold: 1e6 },
      },
    ],
    stimuli: [stimulus],
    recorders: [{ kind: 'state', of: 'cells', state: 'v' }],
  });
  const { states } = await simulation.advance(steps);
  simulation.close();
  return states.get('cells.v')!.values;
}

function momentsOf(values: Float32Array) {
  const moment = (order: number, around: number) =>
    values.reduce((sum, x) => sum + (x - around) ** order, 0) / values.length;
  const mean = moment(1, 0);
  const variance = moment(2, mean);
  return { mean, variance, kurtosis: moment(4, mean) / variance ** 2 - 3 };
}

describe('noise', () => {
  it('has the requested mean and deviation, and the tails of a normal distribution', async () => {
    const values = await inputsOf({ kind: 'noise', to: 'cells', mean: 3, deviation: 2 }, 2);
    const { mean, variance, kurtosis } = momentsOf(values);

    // Five standard errors of 80,000 values.
    expect(Math.abs(mean - 3)).toBeLessThan((5 * 2) / Math.sqrt(80_000));
    expect(Math.abs(variance / 4 - 1)).toBeLessThan(5 * Math.sqrt(2 / 80_000));
    expect(Math.abs(kurtosis)).toBeLessThan(5 * Math.sqrt(24 / 80_000));
    const beyond = values.filter((x) => Math.abs(x - 3) > 2 * 2.5758).length / values.length;
    expect(Math.abs(beyond - 0.01)).toBeLessThan(5 * Math.sqrt(0.01 / 80_000));
    expect(values.subarray(0, 8)).not.toEqual(values.subarray(COUNT, COUNT + 8));
  });
});

describe('Poisson events', () => {
  it('come at their rate, with a variance equal to the mean', async () => {
    const stimulus = { kind: 'poisson', to: 'cells', rate: 1500, weight: 2 } as const;
    const { mean, variance } = momentsOf(await inputsOf(stimulus, 2));

    // 1.5 events of weight 2 a step: mean 3, variance 4 x 1.5.
    expect(Math.abs(mean - 3)).toBeLessThan(5 * Math.sqrt(6 / 80_000));
    expect(Math.abs(variance - 6)).toBeLessThan(0.2);
  });
});

describe('a leaky neuron under a constant current', () => {
  it.each([
    { current: 1.05, refractory: 0 },
    { current: 1.5, refractory: 0 },
    { current: 3, refractory: 5 },
  ])(
    'of $current fires at the rate of its equation, $refractory ms apart at least',
    async (given) => {
      const { current, refractory } = given;
      const [tau, dt, steps] = [20, 0.1, 50_000];
      const simulation = await createSimulation(backend, {
        seed: 1,
        dt,
        populations: [
          {
            name: 'cell',
            count: 1,
            model: 'lif_reset',
            parameters: { tau, threshold: 1, refractory },
          },
        ],
        // In steps of dt: the membrane tends to `current`.
        stimuli: [{ kind: 'current', to: 'cell', current: current * -Math.expm1(-dt / tau) }],
        recorders: [{ kind: 'spikes', of: 'cell' }],
      });
      const { spikes } = await simulation.advance(steps);
      simulation.close();

      const { rateHz, isiCv } = spikeStatistics(spikes.get('cell.spikes')!, {
        count: 1,
        steps,
        dt,
      });
      const interval = refractory + tau * Math.log(current / (current - 1));
      // An interval is a whole number of steps, the first above the exact one.
      expect(1000 / rateHz).toBeGreaterThan(interval - dt);
      expect(1000 / rateHz).toBeLessThan(interval + 3 * dt);
      expect(isiCv).toBeLessThan(0.02);
    },
  );
});
