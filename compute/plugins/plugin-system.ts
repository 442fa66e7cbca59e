import {
  type Backend,
  createBuiltInPlugins,
  openBackend as openDevice,
  PluginManager,
  type TimeLimits,
} from '../../engine/index.ts';
import { MqttTransportPlugin } from './mqtt-transport-plugin.ts';
import { PluginLoader } from './plugin-loader.ts';

/** All that a program of Node leads plugins with, in one place. */
export {
  BasePlugin,
  PluginManager,
  PluginRegistry,
  PluginStatus,
  PluginType,
} from '../../engine/index.ts';
export { PluginLoader };

interface PluginSystemOptions {
  /** How long the calls of any plugin may take. */
  readonly limits?: Partial<TimeLimits>;
  /** Opens what plugins of the platform compute on; one thread of WASM where it is left out. */
  readonly openBackend?: () => Promise<Backend>;
  /** Loads plugins from folders; one with no grants where it is left out. */
  readonly loader?: PluginLoader;
}

/**
 * A manager with the plugins of the platform and those of the given directories, all LOADED. What is
 * found there but cannot be used is in `refused`, with the reason.
 */
export async function initializePluginSystem(
  directories: readonly string[],
  { limits, loader = new PluginLoader(), openBackend = openWasm }: PluginSystemOptions = {},
): Promise<PluginManager> {
  const manager = new PluginManager({
    // Plugins of folders have devices of their own.
    openBackend,
    ...(limits && { limits }),
  });
  for (const plugin of [...createBuiltInPlugins(), new MqttTransportPlugin()]) {
    manager.registerPlugin(plugin);
  }
  for (const directory of directories) await loader.loadAll(directory, manager);
  return manager;
}

const openWasm = () => openDevice('wasm', { gpu: undefined, threads: 1 });
