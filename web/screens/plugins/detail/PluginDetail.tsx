import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { PluginRecord } from '../../../../edge/plugins/contract/plugin.ts';
import { useIsAdmin } from '../../../app/session.ts';
import { pluginQuery, THIS_TAB } from '../../../plugins/plugin-queries.ts';
import { buttonClass } from '../../../ui/Button.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ResourceScreen } from '../../../ui/Resource.tsx';
import { pluginsHref } from '../plugin-fields.ts';
import { usePluginsText } from '../words/en-plugins.ts';
import { StatusBadge } from '../StatusBadge.tsx';
import { LogPanel } from './LogPanel.tsx';
import { PluginFacts } from './PluginFacts.tsx';
import { PortTable } from './PortTable.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { StatusButton } from './StatusButton.tsx';
import { Grid } from '../../../ui/Layout.tsx';

interface PluginDetailProps {
  readonly host: string;
  readonly name: string;
}

/** One plugin: what it is, how it is, how it is set, and what it wrote. */
export function PluginDetail({ host, name }: PluginDetailProps) {
  const { t } = usePluginsText();
  const query = useQuery(pluginQuery(host, name));
  const { data } = query;
  const isAdmin = useIsAdmin();
  const canChange = host === THIS_TAB || isAdmin;
  const actions = (
    <>
      <Link href={pluginsHref(host)} className={buttonClass('secondary')}>
        {t('plugins.back')}
      </Link>
      {data && canChange && <StatusButton host={host} plugin={data} />}
    </>
  );
  return (
    <ResourceScreen
      title={name}
      lead={data && <StatusBadge status={data.status} />}
      actions={actions}
      width="wide"
      query={query}
      skeleton={{ lines: 8, lineRem: 3 }}
    >
      {(plugin) => <Parts host={host} plugin={plugin} canChange={canChange} />}
    </ResourceScreen>
  );
}

interface PartsProps {
  readonly host: string;
  readonly plugin: PluginRecord;
  readonly canChange: boolean;
}

function Parts({ host, plugin, canChange }: PartsProps) {
  const { t } = usePluginsText();
  return (
    <>
      {plugin.reason !== '' && (
        <p style={{ color: 'var(--bad)', overflowWrap: 'anywhere' }}>
          {t('plugin.notActive', { reason: plugin.reason })}
        </p>
      )}
      <Grid min="24rem" gap={4} align="start">
        <Panel title={t('plugin.about')}>
          <PluginFacts plugin={plugin} />
        </Panel>
        <Panel title={t('settings.title')} note={t('settings.note')}>
          {/* Another configuration begins another form. */}
          <SettingsForm
            key={JSON.stringify(plugin.configuration)}
            host={host}
            plugin={plugin}
            canChange={canChange}
          />
        </Panel>
      </Grid>
      <Panel title={t('ports.title')}>
        <PortTable plugin={plugin} />
      </Panel>
      <LogPanel host={host} name={plugin.name} />
    </>
  );
}
