import type { Configuration, ConfigurationSchema } from './configuration.ts';
import type { PluginMetadata } from './metadata.ts';
import type { PluginEntry, PluginOrigin } from './plugin-registry.ts';
import type { PluginStatus } from './plugin-status.ts';
import type { Port, Ports } from './ports.ts';

/** A plugin and how it is. */
export interface PluginReport {
  readonly metadata: PluginMetadata;
  readonly origin: PluginOrigin;
  readonly status: PluginStatus;
  readonly reason: string;
  /** When the status was reached, in milliseconds since 1970. */
  readonly since: number;
  readonly configuration: Configuration;
}

/** A plugin that could not be loaded. */
export interface RefusedPlugin {
  readonly source: string;
  readonly reason: string;
}

export const reportOf = ({
  metadata,
  origin,
  state,
  since,
  configuration,
}: PluginEntry): PluginReport => ({
  metadata,
  origin,
  ...state,
  since,
  configuration,
});

/** A plugin in short, in the words of a plugin host: everything is JSON. */
export function pluginSummary({ metadata, origin, status, reason, since }: PluginReport) {
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

/** All properties of a plugin, except for its permissions and secrets. */
export function pluginRecord(report: PluginReport) {
  const { metadata, origin } = report;
  return {
    ...pluginSummary(report),
    dependencies: { ...metadata.dependencies },
    digest: origin.kind === 'folder' ? origin.digest : null,
    configuration_schema: structuredClone(metadata.configuration),
    configuration: shownConfiguration(report),
    inputs: portsOf(metadata.inputs),
    outputs: portsOf(metadata.outputs),
  };
}

/** The configuration without the values of secrets. */
export function shownConfiguration({
  metadata,
  configuration,
}: Pick<PluginReport, 'metadata' | 'configuration'>): Configuration {
  const secrets = secretSettings(metadata.configuration);
  const shown = Object.entries(configuration).map(([name, value]) => [
    name,
    secrets.includes(name) ? '' : value,
  ]);
  return Object.fromEntries(shown);
}

/** The settings whose values are never shown. */
export const secretSettings = ({ properties }: ConfigurationSchema): readonly string[] =>
  Object.entries(properties)
    .filter(([, setting]) => setting.type === 'string' && setting.writeOnly === true)
    .map(([name]) => name);

const portsOf = (ports: Ports) =>
  Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, portOf(port)]));

const portOf = (port: Port) => ({
  kind: port.kind,
  description: port.description,
  optional: port.optional ?? false,
  axes: port.kind === 'array' ? [...port.axes] : null,
  values: port.kind === 'array' ? (port.values ?? 'finite') : null,
});
