import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRoot, open, running, whole } from './plugin-system.ts';
import { arrayOf } from '../../engine/index.ts';
import { writeFolder, writePlugin } from './plugin-folders.ts';

const isHung = /did not end/;

describe('a plugin in isolation', () => {
  it.each<[string, string, string | RegExp]>([
    ['throws', 'throw new Error("no idea");', 'execute: no idea'],
    ['never ends', 'for (;;);', 'execute: it did not end within 300 ms'],
    ['waits without end', 'await new Promise(() => {});', 'execute: it did not end within 300 ms'],
    [
      'answers nonsense',
      'return { nothing: 1 };',
      'execute: unknown port "nothing", expected value',
    ],
    [
      'answers what cannot be sent',
      'return { value: () => 1 };',
      'execute: it cannot be sent: a function, expected what JSON has, or arrays',
    ],
    [
      'takes all memory',
      'const kept = []; for (;;) kept.push(new Array(1e5).fill(Math.random()));',
      'execute: it took more memory than it may have',
    ],
  ])('that %s is put out of service, and the platform lives', async (_, body, reason) => {
    const { manager, mine } = await running(
      { body: `if (inputs) { ${body} }` },
      // A case that ends by itself has no short limit.
      {
        ...(isHung.test(reason.toString()) && { limits: { execute: 300 } }),
        loader: { limits: { heapMb: 32 } },
      },
    );

    await expect(manager.executePlugin(mine, {})).rejects.toMatchObject({ code: 'plugin-failed' });

    const report = manager.inspectPlugin(mine);
    expect(report?.status).toBe('ERROR');
    expect(report?.reason).toMatch(whole(reason));
    expect(await manager.initializePlugin(mine)).toBe(true);
    expect(await manager.activatePlugin(mine)).toBe(true);
  });

  it('writes its console into its log', async () => {
    const { manager, mine } = await running({
      body: 'console.log("hello"); this.context.log("warn", "careful"); return {};',
    });
    await manager.executePlugin(mine, {});

    await expect
      .poll(() => manager.logsOf(mine).map(({ level, message }) => `${level} ${message}`))
      .toEqual(expect.arrayContaining(['info hello', 'warn careful']));
  });

  it('executes a plugin that it depends on, in another process', async () => {
    const root = newRoot();
    await writePlugin(root, 'Base', { body: 'return { value: 20 };' });
    await writePlugin(root, 'Mine', {
      dependencies: { Base: '^1.0.0' },
      body: 'const { value } = await this.context.execute("Base", {}); return { value: value + 1 };',
    });
    const manager = await open(root);
    await manager.activateAll();

    const mine = manager.getPlugin('MONITORING', 'Mine');

    expect(await manager.executePlugin(mine!, {})).toEqual({ value: 21 });
  });
});

/** A neuron plugin whose layers do this when they run. */
async function neuron(run: string, made = 'numNeurons') {
  const root = newRoot();
  const main = `
    import { metadata, NeuronPlugin, neuronPorts } from 'spikegrid';
    class Odd extends NeuronPlugin {
      getMetadata() {
        return metadata({ name: 'Odd', type: 'NEURON', version: '1.0.0', description: '', ...neuronPorts });
      }
      async createLayer(numNeurons, tau, threshold = 1) {
        return { numNeurons: ${made}, tau, threshold, async run(current) { ${run} }, async reset() {}, async close() {} };
      }
    }
    export const createPlugin = () => new Odd();`;
  const facts = { name: 'Odd', type: 'NEURON', version: '1.0.0', engine: '*', entry: 'main.js' };
  await writeFolder(join(root, 'odd'), { 'main.js': main }, facts);
  const manager = await open(root, {
    loader: { limits: { layerMs: run.includes('for') ? 300 : 60_000 } },
  });
  await manager.activateAll();
  return { manager, odd: manager.getPlugin('NEURON', 'Odd')! };
}

describe('a layer in isolation', () => {
  const current = arrayOf([2, 3], [1, 1, 1, 1, 1, 1]);

  it('fires as its plugin says', async () => {
    const { odd } = await neuron('return { shape: current.shape, data: current.data };');
    const layer = await odd.createLayer(3, 20);

    expect(await layer.run(current)).toEqual(current);
    await layer.close();
    await expect(layer.run(current)).rejects.toThrow('is closed');
  });

  it.each([
    ['answers another shape', 'return { shape: [1], data: new Float32Array(1) };', 'shape [1]'],
    ['answers no spikes', 'return { shape: current.shape, data: current.data.fill(2) };', 'is 2'],
    ['throws', 'throw new Error("no idea");', 'no idea'],
    ['never ends', 'for (;;);', 'it did not end within 300 ms'],
  ])('that %s ends its plugin', async (_, run, reason) => {
    const { manager, odd } = await neuron(run);
    const layer = await odd.createLayer(3, 20);

    await expect(layer.run(current)).rejects.toThrow(reason);
    await manager.settled();
    expect(manager.inspectPlugin(odd)).toMatchObject({
      status: 'ERROR',
      reason: expect.stringContaining(reason),
    });
  });

  it('of other neurons than requested ends its plugin', async () => {
    const { manager, odd } = await neuron('', '7');

    await expect(odd.createLayer(3, 20)).rejects.toThrow('createLayer made 7 neurons, expected 3');
    await manager.settled();
    expect(manager.inspectPlugin(odd)?.status).toBe('ERROR');
  });
});
