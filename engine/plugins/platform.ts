/** What a platform leads plugins with. */
export { createBuiltInPlugins } from './builtin/index.ts';
export {
  PluginManager,
  type PluginManagerOptions,
  type PluginReport,
  type RefusedPlugin,
} from './plugin-manager.ts';
export { type PluginOrigin, PluginRegistry } from './plugin-registry.ts';
