import { useQuery } from '@tanstack/react-query';
import type { PluginLogEntry, PluginLogLevel } from '../../../../edge/plugins/contract/plugin.ts';
import { pluginLogsQuery } from '../../../plugins/plugin-queries.ts';
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Resource } from '../../../ui/Resource.tsx';
import { Table, type Column } from '../../../ui/Table.tsx';
import { usePluginsText, type PluginsText } from '../words/en-plugins.ts';
import { Note } from '../../../ui/Layout.tsx';

const TONES: Readonly<Record<PluginLogLevel, BadgeTone>> = {
  debug: 'neutral',
  info: 'good',
  warn: 'warn',
  error: 'bad',
};

/** Log lines and state changes of the plugin, newest first. */
export function LogPanel({ host, name }: { readonly host: string; readonly name: string }) {
  const { t } = usePluginsText();
  return (
    <Panel title={t('logs.title')}>
      <Resource query={useQuery(pluginLogsQuery(host, name))} skeleton={{ lines: 4, lineRem: 2.6 }}>
        {({ logs }) => <Lines lines={logs.toReversed()} />}
      </Resource>
    </Panel>
  );
}

function Lines({ lines }: { readonly lines: readonly PluginLogEntry[] }) {
  const text = usePluginsText();
  const { t } = text;
  if (lines.length === 0) return <Note>{t('logs.none')}</Note>;
  return (
    <Table
      caption={t('logs.title')}
      columns={columnsOf(text)}
      rows={lines}
      rowKey={({ seq }) => seq}
      rowHeader="none"
      height="limited"
    />
  );
}

const columnsOf = ({ t }: PluginsText): readonly Column<PluginLogEntry>[] => [
  { key: 'time', title: t('logs.time'), cell: (line) => <RelativeTime time={line.timestamp} /> },
  {
    key: 'level',
    title: t('logs.level'),
    cell: ({ level }) => <Badge tone={TONES[level]}>{level}</Badge>,
  },
  {
    key: 'message',
    title: t('logs.message'),
    cell: ({ message }) => <span lang="en">{message}</span>,
  },
];
