import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newRoot, open, running, whole } from './plugin-system.ts';
import { arrayOf } from '../../engine/index.ts';
import { writeFolder, writePlugin } from './plugin-folders.ts';

const isHung = /did not end/;

describe('a plugin in isolation', () => {
  it.each<[string, string, string | RegExp]>([
    ['throws', 'throw new Error("no idea");', 'execute: no idea'],
    ['never ends', 'for (;;);', 'execute: it did not end within 300 ms'],
    ['waits for ever', 'await new Promise(() => {});', 'execute: it did not end within 300 ms'],
    [
      'answers nonsense',
      'return { nothing: 1 };',
      'execute: unknown port "nothing", expected value',
    ],
    ['answers what cannot be sent', 'return { value: () => 1 };', /could not be cloned/],
    [
      'takes all memory',
      'const kept = []; for (;;) kept.push(new Array(1e5).fill(Math.random()));',
      'execute: it took more memory than its heap may have',
    ],
  ])('that %s is put out of service, and the platform lives', async (_, body, reason) => {
    const { manager, mine } = await running(
      { body: `if (inputs) { ${body} }` },
      // What ends by itself has all the time it takes.
      {
        ...(isHung.test(reason.toString()) && { limits: { execute: 300 } }),
        threads: { heapMb: 32 },
      },
    );

    await expect(manager.executePlugin(mine, {})).rejects.toMatchObject({ code: 'plugin-failed' });

    const report = manager.inspectPlugin(mine);
    expect(report?.status).toBe('ERROR');
    expect(report?.reason).toMatch(whole(reason));
    expect(await manager.initializePlugin(mine)).toBe(true);
    expect(await manager.activatePlugin(mine)).toBe(true);
  });

  it('gets at nothing beyond its thread', async () => {
    const ways: Record<string, string> = {
      files: 'await import("node:fs")',
      network: 'await import("node:net")',
      processes: 'await import("node:child_process")',
      threads: 'await import("node:worker_threads")',
      modules: 'await import("node:module")',
      fetch: 'if (typeof fetch !== "function") throw 0',
      dispatcher: `new Response(""); if (!Object.getOwnPropertySymbols(globalThis).some((symbol) =>
        String(symbol).includes("undici") && globalThis[symbol]?.dispatch)) throw 0`,
      kill: 'process.kill(process.pid)',
      builtins: 'process.getBuiltinModule("node:fs").statSync("/")',
      evaluated: 'await new Function("return import(\\"node:fs\\")")()',
      indirect: 'await (0, eval)("import(\\"node:net\\")")',
      platform: 'await import("../../compute/cli/main.ts")',
      address: 'await import("data:text/javascript,export default 1")',
    };
    const tries = Object.entries(ways).map(
      ([name, code]) => `try { ${code}; got.push('${name}'); } catch {}`,
    );
    const { manager, mine } = await running({
      body: `const got = []; ${tries.join(' ')} return { value: got };`,
    });

    expect(await manager.executePlugin(mine, {})).toEqual({ value: [] });
  });

  it('sees no variable of the environment', async () => {
    const { manager, mine } = await running({ body: 'return { value: { ...process.env } };' });

    expect(await manager.executePlugin(mine, {})).toEqual({ value: {} });
  });

  it('reads files and talks to the network where its permissions say so, and never writes', async () => {
    const place = JSON.stringify(fileURLToPath(new URL('../../package.json', import.meta.url)));
    const { manager, mine } = await running({
      more: "import fs from 'node:fs'; import net from 'node:net';",
      body: `
        const read = JSON.parse(fs.readFileSync(${place}, 'utf8')).name;
        let wrote = true;
        try { fs.writeFileSync(${place}, ''); } catch { wrote = false; }
        return { value: { read, wrote, net: typeof net.connect, fetch: typeof fetch } };
      `,
      manifest: { permissions: ['read-files', 'network'] },
    });

    expect(await manager.executePlugin(mine, {})).toEqual({
      value: { read: 'spikegrid', wrote: false, net: 'function', fetch: 'function' },
    });
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

  it('executes a plugin that it depends on, in another thread', async () => {
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
  const manager = await open(root, { threads: { layerMs: run.includes('for') ? 300 : 60_000 } });
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

  it('of other neurons than were asked for ends its plugin', async () => {
    const { manager, odd } = await neuron('', '7');

    await expect(odd.createLayer(3, 20)).rejects.toThrow('createLayer made 7 neurons, expected 3');
    await manager.settled();
    expect(manager.inspectPlugin(odd)?.status).toBe('ERROR');
  });
});
