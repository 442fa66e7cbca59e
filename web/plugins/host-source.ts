import { callEndpoint } from '../../edge/contract/client.ts';
import { pluginEndpoints } from '../../edge/plugins/endpoints.ts';
import { serviceHttp } from '../api/service-http.ts';
import type { PluginSource } from './plugin-source.ts';

/** The plugins of a host, by the name it has at the gateway. */
export function hostSource(service: string): PluginSource {
  const http = serviceHttp(`/${encodeURIComponent(service)}`);
  const { listPlugins, getPlugin, pluginLogs, putConfiguration } = pluginEndpoints;
  const { activatePlugin, deactivatePlugin } = pluginEndpoints;
  return {
    list: async (signal) => (await callEndpoint(http, listPlugins, { signal })).body,
    get: async (name, signal) =>
      (await callEndpoint(http, getPlugin, { params: { name }, signal })).body,
    logs: async (name, signal) =>
      (await callEndpoint(http, pluginLogs, { params: { name }, signal })).body,
    configure: async (name, values) =>
      (await callEndpoint(http, putConfiguration, { params: { name }, body: { values } })).body,
    activate: async (name) => (await callEndpoint(http, activatePlugin, { params: { name } })).body,
    deactivate: async (name) =>
      (await callEndpoint(http, deactivatePlugin, { params: { name } })).body,
  };
}
