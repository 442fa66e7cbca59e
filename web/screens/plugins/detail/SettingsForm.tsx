import { useState, type FormEvent } from 'react';
import type { ConfigurationValues } from '../../../../edge/plugins/contract/configuration.ts';
import type { PluginRecord } from '../../../../edge/plugins/contract/plugin.ts';
import { sourceOf } from '../../../plugins/plugin-queries.ts';
import { DialogActions } from '../../../ui/Dialog.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { usePluginsText } from '../words/en-plugins.ts';
import { usePluginChange } from '../use-plugin-change.ts';
import { SettingField } from './SettingField.tsx';
import { changedValues, defaultValues } from './setting-values.ts';
import { Grid, Note, Stack } from '../../../ui/Layout.tsx';

interface SettingsFormProps {
  readonly host: string;
  readonly plugin: PluginRecord;
  readonly canChange: boolean;
}

/** A field for each setting of the plugin's schema. */
export function SettingsForm({ host, plugin, canChange }: SettingsFormProps) {
  const { t } = usePluginsText();
  const { name, configuration_schema: schema, configuration } = plugin;
  const [values, setValues] = useState<ConfigurationValues>(configuration);
  const change = usePluginChange(
    (next: ConfigurationValues) => sourceOf(host).configure(name, next),
    () => t('settings.applied', { name }),
  );
  const entries = Object.entries(schema.properties);
  if (entries.length === 0) return <Note>{t('settings.none')}</Note>;

  function apply(event: FormEvent) {
    event.preventDefault();
    change.mutate(changedValues(schema, values));
  }

  return (
    <Stack as="form" gap={3} onSubmit={apply}>
      <Grid as="fieldset" min="12rem" align="start" disabled={!canChange}>
        {entries.map(([key, setting]) => (
          <SettingField
            key={key}
            setting={setting}
            value={values[key] ?? setting.default}
            onChange={(value) => setValues({ ...values, [key]: value })}
          />
        ))}
      </Grid>
      {change.isError && <ErrorState error={change.error} />}
      {canChange ? (
        <DialogActions>
          <Button onClick={() => setValues(defaultValues(schema))}>{t('settings.defaults')}</Button>
          <Button type="submit" tone="primary" state={change.isPending ? 'blocked' : 'ready'}>
            {t('settings.apply')}
          </Button>
        </DialogActions>
      ) : (
        <Note>{t('settings.onlyAdmin')}</Note>
      )}
    </Stack>
  );
}
