/** What plugins are written with, and what a platform leads them with. */
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
