import { queryOptions } from '@tanstack/react-query';
import { PLUGIN_HOST_TAG } from '../../edge/plugins/endpoints.ts';
import type { ServiceList } from '../../edge/contract/service.ts';
import { hostSource } from './host-source.ts';
import type { PluginSource } from './plugin-source.ts';
import { tabSource } from './tab-source.ts';

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
