import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  arrayOf,
  type Backend,
  createBuiltInPlugins,
  EngineError,
  type LayerSource,
  PluginManager,
} from '../../../engine/index.ts';
import { writtenNeurons } from '../../../engine/neurons/written-catalogue.ts';
import { ModelNeuronPlugin } from '../../../engine/plugins/model-neuron-plugin.ts';
import { neuronFromEquations } from '../../../engine/plugins/neuron-from-equations.ts';
import { openReferenceBackend } from '../../../engine/backends/reference/reference-backend.ts';
import { variants } from '../play.ts';
import { randomSource } from '../random.ts';

const devices: Record<string, () => Promise<Backend>> = {
  reference: async () => openReferenceBackend(),
  'wasm, plain, 2 threads': variants['wasm, plain, 2 threads'],
  'webgpu, register tiles': variants['webgpu, register tiles'],
};

const managers = new Map<string, PluginManager>();
beforeAll(async () => {
  for (const [name, openBackend] of Object.entries(devices)) {
    const manager = new PluginManager({ openBackend });
    for (const plugin of createBuiltInPlugins()) manager.registerPlugin(plugin);
    manager.registerPlugin(writtenPlugin());
    await manager.activateAll();
    managers.set(name, manager);
  }
});
afterAll(async () => {
  for (const manager of managers.values()) await manager.close();
});

const writtenPlugin = () =>
  new ModelNeuronPlugin({
    name: 'WrittenNeuronPlugin',
    version: '1.0.0',
    description: 'LIF as equations.',
    model: neuronFromEquations('written_lif', writtenNeurons.lif.text),
    fromTau: (tau) => ({ tau }),
    fromThreshold: (threshold) => ({ threshold }),
  });

const sourceOf = (device: string, name = 'LIFNeuronPlugin') =>
  managers.get(device)!.getPlugin('NEURON', name)!;

/** Currents of 1/64ths, so that no rounding decides about a spike. */
function currents(steps: number, width: number, seed = 5) {
  const whole = randomSource(seed).integers(steps * width, 32);
  return arrayOf(
    [steps, width],
    Float32Array.from(whole, (k) => k / 64),
  );
}

/** u[t] = beta u[t-1] + I[t] - s[t-1] theta, written down once more. */
function lif(current: ReturnType<typeof currents>, tau: number, threshold: number): number[] {
  const [steps = 0, width = 0] = current.shape;
  const beta = Math.fround(Math.exp(-1 / tau));
  const u = new Float32Array(width);
  const fired: number[] = Array(width).fill(0);
  return Array.from({ length: steps }, (_, t) => t).flatMap((t) => {
    for (let i = 0; i < width; i++) {
      u[i] = beta * u[i]! + current.data[t * width + i]! - fired[i]! * threshold;
      fired[i] = Number(u[i]! > threshold);
    }
    return [...fired];
  });
}

describe.each(Object.keys(devices))('a layer of a plugin on %s', (device) => {
  it.each([1, 63, 64, 65, 1000])('of %i neurons fires as its equation says', async (width) => {
    const current = currents(40, width);
    const layer = await sourceOf(device).createLayer(width, 10, 1.5);

    const { shape, data } = await layer.run(current);
    await layer.close();

    expect(shape).toEqual([40, width]);
    const expected = lif(current, 10, 1.5);
    const differing = expected.filter((fired, i) => fired !== data[i]).length;
    // Fused multiply-add may move a spike that lies on the threshold.
    expect(differing).toBeLessThanOrEqual(expected.length / 1000);
    expect(expected).toContain(1);
  });

  it('fires as its equations say, where a plugin gives these in place of code', async () => {
    const current = currents(40, 65);
    const layer = await sourceOf(device, 'WrittenNeuronPlugin').createLayer(65, 10, 1.5);

    const { data } = await layer.run(current);
    await layer.close();

    const expected = lif(current, 10, 1.5);
    const differing = expected.filter((fired, i) => fired !== data[i]).length;
    expect(differing).toBeLessThanOrEqual(expected.length / 1000);
    expect(expected).toContain(1);
  });

  it('continues where it ended, over many readings, and starts over when it is reset', async () => {
    const [steps, width] = [600, 3];
    const whole = currents(steps, width);
    const part = (from: number, to: number) =>
      arrayOf([to - from, width], whole.data.slice(from * width, to * width));
    const layer = await sourceOf(device).createLayer(width, 20);

    const atOnce = await layer.run(whole);
    await layer.reset();
    const [first, second] = await Promise.all([layer.run(part(0, 7)), layer.run(part(7, steps))]);
    await layer.close();

    expect([...first.data, ...second.data]).toEqual([...atOnce.data]);
  });

  it("of Izhikevich's regular spikers has the intervals of his equations", async () => {
    const layer = await sourceOf(device, 'IzhikevichNeuronPlugin').createLayer(1, 50);

    // Each spike's overshoot enters the next interval: later on, float32 and float64 drift apart.
    const { data } = await layer.run(arrayOf([300, 1], Array(300).fill(10)));
    await layer.close();

    const times = [...data].flatMap((fired, t) => (fired ? [t] : []));
    const expected = regularSpiker(300, 10);
    expect(times.length).toBe(expected.length);
    for (const [i, time] of times.entries()) {
      expect(Math.abs(time - expected[i]!)).toBeLessThanOrEqual(1);
    }
  });
});

/** Izhikevich 2003, figure 2's program: two half-steps for v, one for u; RS. */
function regularSpiker(steps: number, current: number): number[] {
  const [a, b, c, d] = [0.02, 0.2, -65, 8];
  let [v, u] = [-65, -13];
  const times: number[] = [];
  for (let t = 0; t < steps; t++) {
    if (v >= 30) [v, u] = [c, u + d];
    v += 0.5 * (0.04 * v * v + 5 * v + 140 - u + current);
    v += 0.5 * (0.04 * v * v + 5 * v + 140 - u + current);
    u += a * (b * v - u);
    if (v >= 30) times.push(t);
  }
  return times;
}

describe('a layer that cannot be', () => {
  type Asked = Parameters<LayerSource['createLayer']>;

  it.each<[Asked, string]>([
    [[0, 20], 'numNeurons is 0, expected a whole number from 1 to 16777216'],
    [[1e9, 20], 'numNeurons is 1000000000, expected a whole number from 1 to 16777216'],
    [[1.5, 20], 'numNeurons is 1.5'],
    [[Number.NaN, 20], 'numNeurons is NaN'],
    [[1, 0], 'tau is 0, expected milliseconds above 0'],
    [[1, -5], 'tau is -5, expected milliseconds above 0'],
    [[1, Number.NaN], 'tau is NaN'],
    [[1, Infinity], 'tau is Infinity'],
    [[1, 20, Number.NaN], 'threshold is NaN, expected a finite number'],
    [[1, 20, -Infinity], 'threshold is -Infinity'],
  ])('is refused: %j', async (asked, message) => {
    for (const name of ['LIFNeuronPlugin', 'IzhikevichNeuronPlugin']) {
      const made = sourceOf('reference', name).createLayer(...asked);

      await expect(made).rejects.toThrow(EngineError);
      await expect(made).rejects.toThrow(message);
    }
  });

  it('is refused another threshold than the peak by Izhikevich', async () => {
    const made = sourceOf('reference', 'IzhikevichNeuronPlugin').createLayer(1, 50, 1);

    await expect(made).rejects.toThrow('threshold is 1, expected 30 mV');
  });

  it('is refused before its plugin is initialized', async () => {
    const [plugin] = createBuiltInPlugins();

    await expect((plugin as unknown as LayerSource).createLayer(1, 20)).rejects.toThrow(
      'LIFNeuronPlugin is used before it is initialized',
    );
  });

  it.each([
    [arrayOf([2, 3], Array(6).fill(1)), 'shape [2, 3], expected [T, 2]'],
    [arrayOf([2], [1, 2]), 'shape [2], expected [T, 2]'],
    [arrayOf([1, 2], [1, Number.NaN]), 'current[1] is NaN'],
  ])('takes no current like %j', async (current, message) => {
    const layer = await sourceOf('reference').createLayer(2, 20);

    await expect(layer.run(current)).rejects.toThrow(message);
  });
});

describe('executing a neuron plugin', () => {
  it('runs a layer with the parameters that are set', async () => {
    const manager = managers.get('reference')!;
    const plugin = sourceOf('reference', 'IzhikevichNeuronPlugin');
    const current = arrayOf([300, 1], Array(300).fill(10));
    const count = async (preset: string) => {
      await manager.configurePlugin(plugin, { preset });
      const { spikes } = await manager.executePlugin(plugin, { current });
      return (spikes as typeof current).data.reduce((sum, fired) => sum + fired, 0);
    };

    // Fast spikers fire faster than regular ones.
    expect(await count('FS')).toBeGreaterThan(2 * (await count('RS')));
  });
});
