import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  arrayOf,
  type BasePlugin,
  type LayerSource,
  PluginManager,
} from '../../../engine/index.ts';
import { openReferenceBackend } from '../../../engine/backends/reference/reference-backend.ts';
import { variants } from '../play.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const [, tutorial = ''] = /^```ts file=\S+\n(.*?)^```/ms.exec(
  read('docs/tutorials/write-a-plugin.md'),
)!;

/** The plugin of a module's text; what it imports is where plugins find it. */
async function pluginOf(source: string): Promise<BasePlugin & LayerSource> {
  const api = new URL('../../../engine/plugins/index.ts', import.meta.url).href;
  const script = stripTypeScriptTypes(source).replace("'spikegrid'", JSON.stringify(api));
  const url = `data:text/javascript,${encodeURIComponent(script)}`;
  const { createPlugin } = (await import(/* @vite-ignore */ url)) as {
    createPlugin: () => BasePlugin & LayerSource;
  };
  return createPlugin();
}

async function fired(source: string, device: keyof typeof devices): Promise<number[]> {
  const manager = new PluginManager({ openBackend: devices[device] });
  const plugin = await pluginOf(source);
  manager.registerPlugin(plugin);
  await manager.activateAll();
  const layer = await plugin.createLayer(70, 20);
  const drive = Array.from({ length: 200 * 70 }, (_, i) => ((i % 70) - 5) / 16);
  const { data } = await layer.run(arrayOf([200, 70], drive));
  await layer.close();
  await manager.close();
  return [...data];
}

const devices = {
  reference: async () => openReferenceBackend(),
  webgpu: variants['webgpu, register tiles'],
} as const;

describe.each([
  ['example', read('examples/plugins/quadratic-neuron/plugin.ts')],
  ['tutorial', tutorial],
])('the neuron model of the %s', (_, source) => {
  it('fires by its WGSL as by its TypeScript', async () => {
    const [expected, found] = [await fired(source, 'reference'), await fired(source, 'webgpu')];

    const spikes = expected.reduce((sum, s) => sum + s, 0);
    const differing = expected.filter((s, i) => s !== found[i]).length;
    expect(spikes).toBeGreaterThan(100);
    // Rounding moves a spike by a step now and then.
    expect(differing).toBeLessThan(spikes / 10);
  });
});
