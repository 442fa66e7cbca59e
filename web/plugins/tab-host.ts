import type { ConfigurationValues } from '../../edge/contract/plugins/configuration.ts';
import type {
  PluginPort,
  PluginRecord,
  PluginSummary,
} from '../../edge/contract/plugins/plugin.ts';
import type { BasePlugin, PluginManager, PluginReport, Ports } from '../../engine/index.ts';
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
      const plugins = manager.listPlugins().map(summaryOf);
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
  const kept = Object.entries(configuration).filter(
    ([name]) => isSecret(metadata, name) && values[name] === undefined,
  );
  return { ...values, ...Object.fromEntries(kept) };
}

function isSecret({ configuration }: PluginReport['metadata'], name: string): boolean {
  const setting = configuration.properties[name];
  return setting?.type === 'string' && setting.writeOnly === true;
}

function summaryOf({ metadata, origin, status, reason, since }: PluginReport): PluginSummary {
  const { name, type, version, description, author = null } = metadata;
  return {
    name,
    type,
    version,
    description,
    author,
    origin: origin.kind,
    status,
    reason,
    since: new Date(since).toISOString(),
  };
}

function recordOf(report: PluginReport): PluginRecord {
  const { metadata, configuration } = report;
  const shown = Object.entries(configuration).map(([name, value]) => [
    name,
    isSecret(metadata, name) ? '' : value,
  ]);
  return {
    ...summaryOf(report),
    dependencies: { ...metadata.dependencies },
    permissions: [],
    digest: null,
    // The engine's schema is the wire's; only its arrays are read-only.
    configuration_schema: metadata.configuration as PluginRecord['configuration_schema'],
    configuration: Object.fromEntries(shown),
    inputs: portsOf(metadata.inputs),
    outputs: portsOf(metadata.outputs),
  };
}

function portsOf(ports: Ports): Record<string, PluginPort> {
  const entries = Object.entries(ports).map(([name, port]): [string, PluginPort] => [
    name,
    {
      kind: port.kind,
      description: port.description,
      optional: port.optional ?? false,
      axes: port.kind === 'array' ? [...port.axes] : null,
      values: port.kind === 'array' ? (port.values ?? 'finite') : null,
    },
  ]);
  return Object.fromEntries(entries);
}
