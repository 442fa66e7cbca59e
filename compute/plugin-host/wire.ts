import type { ConfigurationValues } from '../../edge/contract/plugins/configuration.ts';
import {
  PluginPermission,
  type PluginPort,
  type PluginRecord,
  type PluginSummary,
} from '../../edge/contract/plugins/plugin.ts';
import { WireArray } from '../../edge/contract/plugins/execution.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import {
  arrayOf,
  EngineError,
  isPluginArray,
  type PluginReport,
  type PluginValue,
  type PluginValues,
  type Port,
  type Ports,
} from '../../engine/index.ts';

/** A plugin in short, as the wire has it. */
export function summaryOf({
  metadata,
  origin,
  status,
  reason,
  since,
}: PluginReport): PluginSummary {
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

export function recordOf(report: PluginReport): PluginRecord {
  const { metadata, origin } = report;
  const isOwn = origin.kind === 'built-in';
  return {
    ...summaryOf(report),
    dependencies: { ...metadata.dependencies },
    permissions: isOwn
      ? []
      : origin.permissions.flatMap((p) => PluginPermission.safeParse(p).data ?? []),
    digest: isOwn ? null : origin.digest,
    configuration_schema: structuredClone(
      metadata.configuration,
    ) as PluginRecord['configuration_schema'],
    configuration: shownConfiguration(report),
    inputs: portsOf(metadata.inputs),
    outputs: portsOf(metadata.outputs),
  };
}

/** What is set, but for secrets, of which nobody is told more than that they are texts. */
export function shownConfiguration({ metadata, configuration }: PluginReport): ConfigurationValues {
  const { properties } = metadata.configuration;
  return Object.fromEntries(
    Object.entries(configuration).map(([name, value]) => {
      const setting = properties[name];
      return [name, setting?.type === 'string' && setting.writeOnly ? '' : value];
    }),
  );
}

const portsOf = (ports: Ports): Record<string, PluginPort> =>
  Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, portOf(port)]));

const portOf = (port: Port): PluginPort => ({
  kind: port.kind,
  description: port.description,
  optional: port.optional ?? false,
  axes: port.kind === 'array' ? [...port.axes] : null,
  values: port.kind === 'array' ? (port.values ?? 'finite') : null,
});

/** Inputs as they came over the wire: what a port wants as an array becomes one. @throws Problem */
export function inputsOf(ports: Ports, given: Readonly<Record<string, unknown>>): PluginValues {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const isArray = Object.hasOwn(ports, name) && ports[name]?.kind === 'array';
      // The schema of the body said that it is JSON.
      return [name, isArray ? arrayFrom(name, value) : (value as PluginValue)];
    }),
  );
}

function arrayFrom(name: string, value: unknown): PluginValue {
  const parsed = WireArray.safeParse(value);
  try {
    if (parsed.success) return arrayOf(parsed.data.shape, parsed.data.data);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw refusedInput(name, error.message);
  }
  throw refusedInput(name, 'expected {"shape": [...], "data": [...]}');
}

export const refusedInput = (name: string, detail: string) =>
  new Problem('validation_failed', `/inputs/${name}: ${detail}`, {
    errors: [{ pointer: `/inputs/${name}`, code: 'invalid_value', detail }],
  });

/** Outputs as JSON, arrays as lists of numbers. */
export function outputsOf(value: PluginValue): PluginValue {
  if (isPluginArray(value)) return { shape: [...value.shape], data: [...value.data] };
  if (Array.isArray(value)) return value.map(outputsOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, outputsOf(inner)]));
}
