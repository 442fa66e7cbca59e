import type { Configuration } from './configuration.ts';
import type { PluginMetadata } from './metadata.ts';
import type { PluginEntry, PluginOrigin } from './plugin-registry.ts';
import type { PluginStatus } from './plugin-status.ts';

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

/** What was found but is no plugin that can be used. */
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
