import { PluginPermission, type PluginRecord } from '../../edge/plugins/contract/plugin.ts';
import { WireArray } from '../../edge/plugins/contract/execution.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import {
  arrayOf,
  EngineError,
  isPluginArray,
  pluginRecord,
  type PluginReport,
  type PluginValue,
  type PluginValues,
  type Ports,
} from '../../engine/index.ts';

/** A plugin as the wire has it. */
export function recordOf(report: PluginReport): PluginRecord {
  const { origin } = report;
  const permissions = origin.kind === 'folder' ? origin.permissions : [];
  const record = pluginRecord(report);
  return {
    ...record,
    permissions: permissions.flatMap((p) => PluginPermission.safeParse(p).data ?? []),
    // The engine's schema is the wire's; only its arrays are read-only.
    configuration_schema: record.configuration_schema as PluginRecord['configuration_schema'],
  };
}

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

const refusedInput = (name: string, detail: string) =>
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
