import { PluginType } from '../../../edge/plugins/contract/plugin.ts';
import { oneOf, text, type Values } from '../../url-state/fields.ts';

export const TYPES = ['all', ...PluginType.options] as const;

/** Selection in the URL; an empty host is this tab, an empty plugin the list. */
export const FIELDS = {
  host: text('', 63),
  type: oneOf('all', TYPES),
  plugin: text('', 64),
};
export type PluginFields = Values<typeof FIELDS>;
export type ChangePluginFields = (change: Partial<PluginFields>) => void;

/** The address of a plugin, or of the list where no name is given. */
export function pluginsHref(host: string, plugin = ''): string {
  const query = new URLSearchParams({
    ...(host && { host }),
    ...(plugin && { plugin }),
  }).toString();
  return query === '' ? '/plugins' : `/plugins?${query}`;
}
