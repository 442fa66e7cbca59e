import {
  type BasePlugin,
  openBackend,
  PluginManager,
  type TimeLimits,
} from '../../../engine/index.ts';
import type { ProbePlugin } from './probe-plugin.ts';

export const managerWith = (plugins: readonly BasePlugin[], limits: Partial<TimeLimits> = {}) => {
  const manager = new PluginManager({
    openBackend: () => openBackend('reference', { gpu: undefined }),
    limits,
  });
  for (const plugin of plugins) manager.registerPlugin(plugin);
  return manager;
};

export async function active(...plugins: readonly ProbePlugin[]) {
  const manager = managerWith(plugins);
  await manager.activateAll();
  return manager;
}

export const statusOf = (manager: PluginManager, plugin: BasePlugin) =>
  manager.inspectPlugin(plugin)?.status;
