import { callEndpoint } from '../../edge/contract/client.ts';
import { ownProblem } from '../../edge/contract/refusal.ts';
import type { ServiceList } from '../../edge/contract/service.ts';
import { PLUGIN_HOST_TAG, pluginEndpoints } from '../../edge/plugins/endpoints.ts';
import { serviceHttp } from '../api/service-http.ts';
import { type Caller, createCaller } from '../workers/calls.ts';
import { startWorker } from '../workers/start-worker.ts';
import type { PluginCalls, PluginSource } from './plugin-source.ts';
import { queryOptions } from '@tanstack/react-query';

/** Stands for this tab where a host is named. */
export const THIS_TAB = '';

/** Everything that is asked about plugins is under this key. */
export const PLUGINS_KEY = ['plugins'] as const;

const EVERY_MS = 5_000;

export const sourceOf = (host: string): PluginSource =>
  host === THIS_TAB ? tabSource : hostSource(host);

/** The names of the services that are plugin hosts. */
export function hostsAmong({ services }: ServiceList): readonly string[] {
  return services.filter(({ tags }) => tags?.includes(PLUGIN_HOST_TAG)).map(({ name }) => name);
}

export const pluginsQuery = (host: string) =>
  queryOptions({
    queryKey: [...PLUGINS_KEY, host, 'list'],
    refetchInterval: EVERY_MS,
    queryFn: ({ signal }) => sourceOf(host).list(signal),
  });

export const pluginQuery = (host: string, name: string) =>
  queryOptions({
    queryKey: [...PLUGINS_KEY, host, 'one', name],
    refetchInterval: EVERY_MS,
    queryFn: ({ signal }) => sourceOf(host).get(name, signal),
  });

export const pluginLogsQuery = (host: string, name: string) =>
  queryOptions({
    queryKey: [...PLUGINS_KEY, host, 'logs', name],
    refetchInterval: EVERY_MS,
    queryFn: ({ signal }) => sourceOf(host).logs(name, signal),
  });

/** The plugins of a host, by the name it has at the gateway. */
function hostSource(service: string): PluginSource {
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

let caller: Caller<PluginCalls> | undefined;

/** The worker starts when it is first asked something, and lives as long as the page. */
const ask: Caller<PluginCalls>['ask'] = (what, question) => {
  caller ??= createCaller(startWorker('plugins'));
  return caller.ask(what, question);
};

/** The built-in plugins, as they run in this tab. */
const tabSource: PluginSource = {
  list: () => ask('list', null),
  async get(name) {
    const { plugins } = await ask('list', null);
    if (plugins.some((plugin) => plugin.name === name)) return ask('get', name);
    throw ownProblem('plugin_not_found', `There is no plugin named ${name} in this tab.`);
  },
  logs: (name) => ask('logs', name),
  configure: (name, values) => ask('configure', { name, values }),
  activate: (name) => ask('activate', name),
  deactivate: (name) => ask('deactivate', name),
};
