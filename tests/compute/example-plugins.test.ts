import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { arrayOf, type NeuronLayer, spikeTrainsOf } from '../../engine/index.ts';
import { open } from './plugin-system.ts';

const examples = fileURLToPath(new URL('../../examples/plugins', import.meta.url));

async function example(type: 'NEURON' | 'MONITORING', name: string) {
  const manager = await open(examples);
  await manager.activateAll();
  expect(manager.refused).toEqual([]);
  return { manager, plugin: manager.getPlugin(type, name)! };
}

describe('the example of a neuron', () => {
  it('fires every tau pi / sqrt(I), as its equation has it', async () => {
    const { manager } = await example('NEURON', 'QuadraticNeuronPlugin');
    const source = manager.getPlugin('NEURON', 'QuadraticNeuronPlugin')!;
    const [tau, peak] = [20, 30];
    const layer: NeuronLayer = await source.createLayer(3, tau, peak);
    const drives = [-1, 1, 4];

    const { data } = await layer.run(
      arrayOf([1000, 3], Array.from({ length: 1000 }, () => drives).flat()),
    );
    await layer.close();

    const [resting = [], slow = [], fast = []] = spikeTrainsOf(data, [1000, 3]);
    // From -peak to peak; without a drive it rests.
    const periodOf = (root: number) => ((2 * tau) / root) * Math.atan(peak / root);
    const meanOf = (times: readonly number[]) => (times.at(-1)! - times[0]!) / (times.length - 1);
    expect(resting).toEqual([]);
    expect(slow.length).toBeGreaterThan(10);
    expect(Math.abs(meanOf(slow) / periodOf(1) - 1)).toBeLessThan(0.05);
    expect(Math.abs(meanOf(fast) / periodOf(2) - 1)).toBeLessThan(0.05);
  });

  it('refuses what its parameters do not allow, and stays', async () => {
    const { manager } = await example('NEURON', 'QuadraticNeuronPlugin');
    const source = manager.getPlugin('NEURON', 'QuadraticNeuronPlugin')!;

    await expect(source.createLayer(0, 20)).rejects.toThrow('numNeurons is 0');
    await expect(source.createLayer(1, 20, 1e6)).rejects.toThrow('peak');
    await manager.settled();
    expect(manager.inspectPlugin(source)?.status).toBe('ACTIVE');
  });
});

describe('the example of a monitor', () => {
  it('counts bursts, and asks the statistics for the rest', async () => {
    const { manager, plugin } = await example('MONITORING', 'BurstMonitorPlugin');
    const raster = new Float32Array(100);
    // A burst of four, a pair that is none, and a burst of three at the end.
    for (const t of [10, 14, 20, 28, 50, 55, 90, 93, 99]) raster[t] = 1;

    const answer = await manager.executePlugin(plugin, { spikes: arrayOf([100, 1], raster) });

    expect(answer).toMatchObject({
      bursts: [{ count: 2, spikes: 7 }],
      population: { spikes: 9, rate: 90 },
    });
  });
});
