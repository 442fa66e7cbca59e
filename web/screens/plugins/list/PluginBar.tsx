import { useQuery } from '@tanstack/react-query';
import { servicesQuery } from '../../../api/queries.ts';
import { hostsAmong, THIS_TAB } from '../../../plugins/plugin-queries.ts';
import { SelectField } from '../../../ui/SelectField.tsx';
import { type ChangePluginFields, type PluginFields, TYPES } from '../plugin-fields.ts';
import { usePluginsText } from '../words/en-plugins.ts';
import { Grid } from '../../../ui/Layout.tsx';

interface PluginBarProps {
  readonly fields: PluginFields;
  readonly onChange: ChangePluginFields;
}

/** Whose plugins, and of which type. */
export function PluginBar({ fields, onChange }: PluginBarProps) {
  const { t } = usePluginsText();
  const { data } = useQuery(servicesQuery);
  const hosts = data ? hostsAmong(data) : [];
  // A host that is not registered any more is still what the address names.
  const named = hosts.includes(fields.host) || fields.host === THIS_TAB ? [] : [fields.host];
  return (
    <Grid
      as="search"
      min="12rem"
      gap={[3, 4]}
      align="end"
      columns="fill"
      aria-label={t('plugins.list')}
    >
      <SelectField
        label={t('plugins.where')}
        options={[
          { value: THIS_TAB, label: t('plugins.tab') },
          ...[...hosts, ...named].map((value) => ({ value, label: value })),
        ]}
        value={fields.host}
        onChange={(host) => onChange({ host })}
      />
      <SelectField
        label={t('plugins.type')}
        options={TYPES.map((value) => ({
          value,
          label: value === 'all' ? t('plugins.allTypes') : t(`type.${value}`),
        }))}
        value={fields.type}
        onChange={(type) => onChange({ type })}
      />
    </Grid>
  );
}
