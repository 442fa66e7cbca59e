import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { type LoaderOptions, PluginLoader } from '../../compute/plugins/plugin-loader.ts';
import { initializePluginSystem } from '../../compute/plugins/plugin-system.ts';
import type { PluginManager, TimeLimits } from '../../engine/index.ts';
import { makeRoot, writePlugin } from './plugin-folders.ts';

const roots: string[] = [];
const managers: PluginManager[] = [];
afterAll(async () => {
  for (const manager of managers) await manager.close();
  for (const root of roots) rmSync(root, { recursive: true });
});

export function newRoot(): string {
  const root = makeRoot();
  roots.push(root);
  return root;
}

/** How plugins are led in a test. */
export interface Leading {
  readonly limits?: Partial<TimeLimits>;
  readonly loader?: LoaderOptions;
}

export async function open(
  directories: string | readonly string[],
  { limits = {}, loader }: Leading = {},
): Promise<PluginManager> {
  const options = { limits, loader: new PluginLoader(loader) };
  const manager = await initializePluginSystem([directories].flat(), options);
  managers.push(manager);
  return manager;
}

/** A manager with one plugin that runs. */
export async function running(plugin: Parameters<typeof writePlugin>[2], options: Leading = {}) {
  const root = newRoot();
  const folder = await writePlugin(root, 'Mine', plugin);
  const manager = await open(root, options);
  const mine = manager.getPlugin('MONITORING', 'Mine');
  if (!mine) throw new Error(JSON.stringify(manager.refused));
  await manager.initializePlugin(mine);
  await manager.activatePlugin(mine);
  return { manager, mine, folder };
}

/** A text means all of it. */
export const whole = (reason: string | RegExp) =>
  typeof reason === 'string'
    ? new RegExp(`^${reason.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
    : reason;
