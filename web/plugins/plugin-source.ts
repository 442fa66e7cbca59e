import type { ConfigurationValues } from '../../edge/plugins/contract/configuration.ts';
import type { PluginList, PluginLogs, PluginRecord } from '../../edge/plugins/contract/plugin.ts';

/** Where plugins live: a host behind the gateway, or this tab. */
export interface PluginSource {
  list(signal: AbortSignal): Promise<PluginList>;
  get(name: string, signal: AbortSignal): Promise<PluginRecord>;
  logs(name: string, signal: AbortSignal): Promise<PluginLogs>;
  configure(name: string, values: ConfigurationValues): Promise<PluginRecord>;
  activate(name: string): Promise<PluginRecord>;
  deactivate(name: string): Promise<PluginRecord>;
}

/** Calls of the worker that runs this tab's plugins. */
export type PluginCalls = {
  readonly list: { readonly ask: null; readonly answer: PluginList };
  readonly get: { readonly ask: string; readonly answer: PluginRecord };
  readonly logs: { readonly ask: string; readonly answer: PluginLogs };
  readonly configure: {
    readonly ask: { readonly name: string; readonly values: ConfigurationValues };
    readonly answer: PluginRecord;
  };
  readonly activate: { readonly ask: string; readonly answer: PluginRecord };
  readonly deactivate: { readonly ask: string; readonly answer: PluginRecord };
};
