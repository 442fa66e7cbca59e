import type { ConfigurationValues } from '../../edge/plugins/contract/configuration.ts';
import type { PluginRecord } from '../../edge/plugins/contract/plugin.ts';
import {
  type BasePlugin,
  type PluginManager,
  pluginRecord,
  type PluginReport,
  pluginSummary,
  secretSettings,
} from '../../engine/index.ts';
import type { Handlers } from '../workers/calls.ts';
import type { PluginCalls } from './plugin-source.ts';

/** Answers for the plugins of one manager in the words of a plugin host. */
export function tabHandlers(manager: PluginManager): Handlers<PluginCalls> {
  const find = (name: string): readonly [BasePlugin, PluginReport] => {
    const plugin = manager.findPlugin(name);
    const report = plugin && manager.inspectPlugin(plugin);
    if (!plugin || !report) throw new Error(`there is no plugin named ${name}`);
    return [plugin, report];
  };
  const recordNow = (name: string) => recordOf(find(name)[1]);
  const done = (isDone: boolean, plugin: BasePlugin, name: string) => {
    if (!isDone) throw new Error(manager.reasonOf(plugin));
    return recordNow(name);
  };
  return {
    list() {
      const plugins = manager.listPlugins().map(pluginSummary);
      return { plugins, total: plugins.length, refused: [...manager.refused] };
    },
    get: recordNow,
    logs(name) {
      const logs = manager.logsOf(find(name)[0]).map(({ at, ...line }) => ({
        ...line,
        timestamp: new Date(at).toISOString(),
      }));
      return { logs, latest_seq: logs.at(-1)?.seq ?? 0 };
    },
    async configure({ name, values }) {
      const [plugin, report] = find(name);
      return done(await manager.configurePlugin(plugin, withSecrets(report, values)), plugin, name);
    },
    async activate(name) {
      const [plugin, { status }] = find(name);
      const isFresh = status === 'LOADED' || status === 'ERROR';
      const isReady = !isFresh || (await manager.initializePlugin(plugin));
      return done(isReady && (await manager.activatePlugin(plugin)), plugin, name);
    },
    async deactivate(name) {
      const [plugin] = find(name);
      return done(await manager.deactivatePlugin(plugin), plugin, name);
    },
  };
}

/** A secret that was not typed anew stays what it was. */
function withSecrets(
  { metadata, configuration }: PluginReport,
  values: ConfigurationValues,
): ConfigurationValues {
  const secrets = secretSettings(metadata.configuration);
  const kept = Object.entries(configuration).filter(
    ([name]) => secrets.includes(name) && values[name] === undefined,
  );
  return { ...values, ...Object.fromEntries(kept) };
}

/** Plugins of this tab are part of the platform: no folder allows them anything. */
const recordOf = (report: PluginReport): PluginRecord => {
  const record = pluginRecord(report);
  return {
    ...record,
    permissions: [],
    // The engine's schema is the wire's; only its arrays are read-only.
    configuration_schema: record.configuration_schema as PluginRecord['configuration_schema'],
  };
};
