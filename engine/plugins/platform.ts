/** The API for plugin authors, and the platform's management of plugins. */
export * from './index.ts';
export { createBuiltInPlugins } from './builtin/index.ts';
export { PluginManager, type PluginManagerOptions } from './plugin-manager.ts';
export type { PluginReport, RefusedPlugin } from './plugin-record.ts';
export {
  pluginRecord,
  pluginSummary,
  secretSettings,
  shownConfiguration,
} from './plugin-record.ts';
export { type PluginOrigin, PluginRegistry } from './plugin-registry.ts';
