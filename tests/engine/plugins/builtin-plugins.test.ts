import { describe, expect, it } from 'vitest';
import { arrayOf, createBuiltInPlugins, type PluginValues } from '../../../engine/index.ts';
import { randomSource } from '../random.ts';
import { devices, managers, numbers, raster, run, useBuiltIns } from './builtins.ts';

useBuiltIns();

it('has the plugins of the specification, and some of every type', () => {
  const listed = createBuiltInPlugins().map((plugin) => plugin.getMetadata());
  const named = (type: string) => listed.filter((m) => m.type === type).map(({ name }) => name);

  expect(named('NEURON')).toEqual([
    'LIFNeuronPlugin',
    'IzhikevichNeuronPlugin',
    'EntangledSynchronyPlugin',
  ]);
  expect(named('ENCODER')).toEqual([
    'RateEncoderPlugin',
    'TASEncoderPlugin',
    'LatencyEncoderPlugin',
  ]);
  expect(named('PLASTICITY')).toEqual(['STDPPlugin', 'MetaPlasticityPlugin', 'HomeostasisPlugin']);
  for (const type of ['FUNCTIONAL', 'LEARNING', 'MONITORING']) expect(named(type)).not.toEqual([]);
});

describe.each(Object.keys(devices))('on %s', (device) => {
  describe('an encoder', () => {
    const values = arrayOf([65], randomSource(3).floats(65, 0.05, 1));

    /** The largest error of a code on its way there and back. */
    async function error(name: string, settings: Record<string, number | string>) {
      const { spikes = null } = await run(device, name, { values }, settings);
      const manager = managers.get(device)!;
      const back = await manager.executePlugin(manager.findPlugin(name)!, { spikes });
      return Math.max(...numbers(back, 'values').map((x, i) => Math.abs(x - values.data[i]!)));
    }

    it('TAS errs by at most max h / T', async () => {
      // Without a spike in every step h stays below 1 + alpha / (1 - rho).
      const [alpha, rho, steps] = [0.1, 0.5, 200];

      const found = await error('TASEncoderPlugin', { alpha, rho, steps });

      expect(found).toBeLessThanOrEqual((1 + steps * alpha) / steps);
      expect(await error('TASEncoderPlugin', { alpha: 0, rho, steps })).toBeLessThanOrEqual(
        1 / steps + 1e-6,
      );
    });

    it('latency errs by at most half a step', async () => {
      const settings = { curve: 'linear', steps: 101, theta: 0.01 };

      expect(await error('LatencyEncoderPlugin', settings)).toBeLessThanOrEqual(0.005 + 1e-6);
    });

    it('rate errs as chance has it, and draws anew each time', async () => {
      const settings = { steps: 2000 };

      expect(await error('RateEncoderPlugin', settings)).toBeLessThan(5 * Math.sqrt(0.25 / 2000));
      const first = await run(device, 'RateEncoderPlugin', { values }, settings);
      const again = await run(device, 'RateEncoderPlugin', { values }, settings);
      const manager = managers.get(device)!;
      const next = await manager.executePlugin(manager.findPlugin('RateEncoderPlugin')!, {
        values,
      });
      expect(numbers(again, 'spikes')).toEqual(numbers(first, 'spikes'));
      expect(numbers(next, 'spikes')).not.toEqual(numbers(first, 'spikes'));
    });

    it.each([
      [{}, 'expected either values or spikes'],
      [{ values: arrayOf([2], [0.5, 1.5]) }, 'value 1 is 1.5'],
    ])('refuses %j, and stays in service', async (inputs, message) => {
      await expect(run(device, 'TASEncoderPlugin', inputs)).rejects.toThrow(message);
      const manager = managers.get(device)!;
      const plugin = manager.findPlugin('TASEncoderPlugin')!;
      expect(manager.inspectPlugin(plugin)?.status).toBe('ACTIVE');
    });
  });

  describe('STDP', () => {
    const weights = arrayOf([1, 1], [0.5]);
    const change = async (
      pre: number,
      post: number,
      settings: Record<string, number | string | boolean> = {},
      more: PluginValues = {},
    ) => {
      const spikes = { pre: raster(100, 1, [[pre, 0]]), post: raster(100, 1, [[post, 0]]) };
      const answer = await run(device, 'STDPPlugin', { ...spikes, weights, ...more }, settings);
      return numbers(answer, 'weights')[0]! - 0.5;
    };

    it.each([1, 5, 20, 60])('has the window of its equation at %i ms', async (lag) => {
      const decay = Math.exp(-lag / 20);

      expect(await change(20, 20 + lag)).toBeCloseTo(0.01 * decay, 6);
      expect(await change(20 + lag, 20)).toBeCloseTo(-0.0105 * decay, 6);
    });

    it('waits for a reward where configured to', async () => {
      const rewarded = { rule: 'reward', reward_rate: 1 };

      expect(await change(20, 25, rewarded)).toBe(0);
      expect(await change(20, 25, rewarded, { reward: 1 })).toBeGreaterThan(0);
      expect(await change(20, 25, rewarded, { reward: -1 })).toBeLessThan(0);
    });

    it('keeps weights within their bounds', async () => {
      expect(await change(20, 21, { amplitude_plus: 10, high: 0.7 })).toBeCloseTo(0.2, 6);
      expect(await change(21, 20, { amplitude_minus: 10, low: 0.1 })).toBeCloseTo(-0.4, 6);
    });
  });

  it('metaplasticity lets what was quiet be potentiated, and depresses below the threshold', async () => {
    const weights = arrayOf([1, 2], [0.5, 0.5]);
    const steps = 2000;
    // The first target fires at 50 Hz from the beginning, the second at 5 Hz.
    const every = (period: number, neuron: number) =>
      Array.from({ length: steps / period }, (_, i) => [i * period, neuron] as const);
    const post = raster(steps, 2, [...every(20, 0), ...every(200, 1)]);
    const pre = raster(
      steps,
      1,
      every(10, 0).map(([t]) => [t, 0] as const),
    );

    const answer = await run(device, 'MetaPlasticityPlugin', { pre, post, weights });

    const [busy = 0, quiet = 0] = numbers(answer, 'weights');
    const thresholds = numbers(answer, 'thresholds');
    expect(busy).toBeGreaterThan(0.5);
    expect(Math.abs(quiet - 0.5)).toBeLessThan(busy - 0.5);
    expect(thresholds[0]).toBeGreaterThan(10 * thresholds[1]!);
  });

  it('homeostasis weakens who fires too much and raises his threshold', async () => {
    const steps = 3000;
    const weights = arrayOf([1, 2], [0.5, 0.5]);
    // 50 Hz and silence, for a target of 5 Hz.
    const fired = Array.from({ length: steps / 20 }, (_, i) => [i * 20, 0] as const);
    const inputs = { pre: raster(steps, 1, []), post: raster(steps, 2, fired), weights };

    const answer = await run(device, 'HomeostasisPlugin', inputs);

    const [loud = 0, silent = 0] = numbers(answer, 'weights');
    expect(loud).toBeLessThan(0.2);
    expect(silent).toBeGreaterThan(0.55);
    expect(numbers(answer, 'thresholds')[0]).toBeCloseTo(0.05 * fired.length, 1);
    expect(numbers(answer, 'rates')[0]).toBeCloseTo(50, -1);
  });

  describe('entangled synchrony', () => {
    const [steps, width] = [400, 200];
    const current = arrayOf([steps, width], new Float32Array(steps * width).fill(0.2));
    const orderAt = async (coupling: number) => {
      const answer = await run(
        device,
        'EntangledSynchronyPlugin',
        { current },
        { coupling, groups: 2 },
      );
      const order = numbers(answer, 'order').slice(-100);
      return order.reduce((sum, r) => sum + r, 0) / order.length;
    };

    it('comes into step above the critical coupling', async () => {
      // K_c = 2 / (pi g(0)) for a normal g of 2 Hz, in radians a step: 0.02.
      expect(await orderAt(0)).toBeLessThan(0.25);
      expect(await orderAt(0.1)).toBeGreaterThan(0.9);
    });

    it('is a layer of plain neurons without modulation', async () => {
      const noise = arrayOf([100, width], randomSource(8).floats(100 * width, 0, 0.5));
      const plain = await run(device, 'LIFNeuronPlugin', { current: noise });
      const entangled = await run(
        device,
        'EntangledSynchronyPlugin',
        { current: noise },
        { modulation: 0 },
      );

      expect(numbers(entangled, 'spikes')).toEqual(numbers(plain, 'spikes'));
    });

    it('continues where it ended, phases too', async () => {
      const manager = managers.get(device)!;
      const plugin = manager.findPlugin('EntangledSynchronyPlugin')!;
      await manager.configurePlugin(plugin, {});
      const whole = arrayOf([150, 4], randomSource(9).floats(600, 0, 0.5));
      const part = (from: number, to: number) =>
        arrayOf([to - from, 4], whole.data.slice(from * 4, to * 4));
      const layer = await manager
        .getPlugin('NEURON', 'EntangledSynchronyPlugin')!
        .createLayer(4, 10);

      const atOnce = await layer.run(whole);
      await layer.reset();
      const first = await layer.run(part(0, 70));
      const second = await layer.run(part(70, 150));
      await layer.close();

      expect([...first.data, ...second.data]).toEqual([...atOnce.data]);
    });

    it('refuses neurons that its groups do not divide', async () => {
      const inputs = { current: arrayOf([1, 3], [1, 1, 1]) };

      await expect(run(device, 'EntangledSynchronyPlugin', inputs, { groups: 2 })).rejects.toThrow(
        'numNeurons is 3, expected a multiple of the 2 groups',
      );
    });
  });
});
