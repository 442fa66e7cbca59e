import * as z from 'zod/mini';
import { Digest } from '../../contract/digest.ts';
import { Version } from '../../contract/semver.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { ConfigurationSchema, ConfigurationValues } from './configuration.ts';

export const PluginType = z.enum([
  'NEURON',
  'ENCODER',
  'PLASTICITY',
  'FUNCTIONAL',
  'LEARNING',
  'MONITORING',
  'COMMUNICATION',
]);
export type PluginType = z.infer<typeof PluginType>;

/** LOADED, INITIALIZED and ACTIVE in turn; INACTIVE after ACTIVE; ERROR with a reason. */
export const PluginStatus = z.enum(['LOADED', 'INITIALIZED', 'ACTIVE', 'INACTIVE', 'ERROR']);
export type PluginStatus = z.infer<typeof PluginStatus>;

export const PluginName = z
  .string()
  .check(
    z.regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'expected a letter, then 0 to 63 of A-Z a-z 0-9 _ -'),
  );
export type PluginName = z.infer<typeof PluginName>;

/**
 * The permissions a plugin requests beyond computing: `node`, a Node process that sees its own
 * folder; `network`, the same with network access, which has to be granted where the host is
 * started.
 */
export const PluginPermission = z.enum(['network', 'node']);
export type PluginPermission = z.infer<typeof PluginPermission>;

/** A plugin of a host in a list. */
export const PluginSummary = z.object({
  name: PluginName,
  type: PluginType,
  version: Version,
  description: z.string(),
  author: z.nullable(z.string()),
  /** Part of the platform, or loaded from a folder of the host. */
  origin: z.enum(['built-in', 'folder']),
  status: PluginStatus,
  /** Why it is not active, unless it was deactivated by request; empty otherwise. */
  reason: z.string(),
  /** When the status was reached. */
  since: Timestamp,
});
export type PluginSummary = z.infer<typeof PluginSummary>;

/**
 * An input or output of `execute`. The axes of an array are names: an axis has one length in all
 * arrays of a call.
 */
export const PluginPort = z.object({
  kind: z.enum(['array', 'number', 'text', 'boolean', 'json']),
  description: z.string(),
  optional: z.boolean(),
  /** For arrays only. */
  axes: z.nullable(z.array(z.string())),
  /** For arrays only: `spikes` are 0 and 1. */
  values: z.nullable(z.enum(['spikes', 'finite'])),
});
export type PluginPort = z.infer<typeof PluginPort>;

/** The details of a plugin. */
export const PluginRecord = z.object({
  ...PluginSummary.shape,
  /** Required plugins by name, with version ranges. */
  dependencies: z.record(z.string(), z.string()),
  permissions: z.array(PluginPermission),
  /** The digest of its files; null for one that is part of the platform. */
  digest: z.nullable(Digest),
  configuration_schema: ConfigurationSchema,
  configuration: ConfigurationValues,
  inputs: z.record(z.string(), PluginPort),
  outputs: z.record(z.string(), PluginPort),
});
export type PluginRecord = z.infer<typeof PluginRecord>;

/** A folder of the host without a usable plugin. */
export const RefusedPlugin = z.object({ source: z.string(), reason: z.string() });
export type RefusedPlugin = z.infer<typeof RefusedPlugin>;

/** The response of `GET /plugins`. */
export const PluginList = z.object({
  plugins: z.array(PluginSummary),
  total: z.int(),
  refused: z.array(RefusedPlugin),
});
export type PluginList = z.infer<typeof PluginList>;

export const PluginLogLevel = z.enum(['debug', 'info', 'warn', 'error']);
export type PluginLogLevel = z.infer<typeof PluginLogLevel>;

export const PluginLogEntry = z.object({
  /** Counts from 1 without gaps; the oldest lines are dropped. */
  seq: z.int(),
  timestamp: Timestamp,
  level: PluginLogLevel,
  message: z.string(),
});
export type PluginLogEntry = z.infer<typeof PluginLogEntry>;

/** The response of `GET /plugins/{name}/logs`, the oldest line first. */
export const PluginLogs = z.object({
  logs: z.array(PluginLogEntry),
  /** The `after` of the next request. */
  latest_seq: z.int(),
});
export type PluginLogs = z.infer<typeof PluginLogs>;
