import { afterAll, beforeAll, expect } from 'vitest';
import { openReferenceBackend } from '../../../engine/backends/reference/reference-backend.ts';
import {
  arrayOf,
  type Backend,
  createBuiltInPlugins,
  type PluginArray,
  PluginManager,
  type PluginValues,
} from '../../../engine/index.ts';
import { variants } from '../play.ts';

/** Ops are held to each other on all devices elsewhere; here plugins are held to what they promise. */
export const devices: Record<string, () => Promise<Backend>> = {
  reference: async () => openReferenceBackend(),
  'wasm, plain, 1 thread': variants['wasm, plain, 1 thread'],
};

export const managers = new Map<string, PluginManager>();

/** For the tests of the file that calls it: test files share their modules, so a module's own hooks run in one. */
export function useBuiltIns(): void {
  beforeAll(async () => {
    for (const [name, openBackend] of Object.entries(devices)) {
      const manager = new PluginManager({ openBackend });
      for (const plugin of createBuiltInPlugins()) manager.registerPlugin(plugin);
      expect(await manager.activateAll()).toBe(true);
      managers.set(name, manager);
    }
  });
  afterAll(async () => {
    for (const manager of managers.values()) await manager.close();
  });
}

/** Executes a plugin with settings. */
export async function run(
  device: string,
  name: string,
  inputs: PluginValues,
  settings: Record<string, number | string | boolean> = {},
) {
  const manager = managers.get(device)!;
  const plugin = manager.findPlugin(name)!;
  expect(await manager.configurePlugin(plugin, settings)).toBe(true);
  return manager.executePlugin(plugin, inputs);
}

/** An output that is an array. */
export const numbers = (values: PluginValues, name: string) => [
  ...(values[name] as PluginArray).data,
];

/** A raster `[T, N]` with these spikes. */
export function raster(
  steps: number,
  width: number,
  events: readonly (readonly [number, number])[],
) {
  const data = new Float32Array(steps * width);
  for (const [step, neuron] of events) data[step * width + neuron] = 1;
  return arrayOf([steps, width], data);
}
