import type { PluginRecord } from '../../../../edge/plugins/contract/plugin.ts';
import { Facts } from '../../../ui/Facts.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { usePluginsText } from '../words/en-plugins.ts';

/** Metadata of a plugin, and its origin. */
export function PluginFacts({ plugin }: { readonly plugin: PluginRecord }) {
  const { t, format } = usePluginsText();
  const needs = Object.entries(plugin.dependencies).map(([name, range]) => `${name} ${range}`);
  const list = (items: readonly string[]) =>
    items.length === 0 ? t('ui.none') : format.list(items);
  return (
    <>
      <p lang="en">{plugin.description}</p>
      <Facts
        facts={[
          { label: t('column.type'), value: t(`type.${plugin.type}`) },
          { label: t('column.version'), value: plugin.version },
          { label: t('plugin.author'), value: plugin.author ?? t('plugin.unknown') },
          { label: t('column.origin'), value: t(`origin.${plugin.origin}`) },
          { label: t('column.since'), value: <RelativeTime time={plugin.since} /> },
          { label: t('plugin.dependencies'), value: list(needs) },
          { label: t('plugin.permissions'), value: list(plugin.permissions) },
          ...(plugin.digest === null
            ? []
            : [{ label: t('plugin.digest'), value: <code>{plugin.digest}</code> }]),
        ]}
      />
    </>
  );
}
