import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { PluginSummary, RefusedPlugin } from '../../../../edge/plugins/contract/plugin.ts';
import { pluginsQuery } from '../../../plugins/plugin-queries.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Resource } from '../../../ui/Resource.tsx';
import { Table, type Column } from '../../../ui/Table.tsx';
import { pluginsHref, type PluginFields } from '../plugin-fields.ts';
import { usePluginsText, type PluginsText } from '../words/en-plugins.ts';
import { StatusBadge } from '../StatusBadge.tsx';

interface PluginListProps {
  readonly fields: PluginFields;
}

/** The plugins that there are, and what was found but is none. */
export function PluginList({ fields }: PluginListProps) {
  const isShown = ({ type }: PluginSummary) => fields.type === 'all' || type === fields.type;
  return (
    <Resource query={useQuery(pluginsQuery(fields.host))} skeleton={{ lines: 10, lineRem: 2.6 }}>
      {({ plugins, refused }) => (
        <>
          <Found host={fields.host} plugins={plugins.filter(isShown)} />
          {refused.length > 0 && <Refused refused={refused} />}
        </>
      )}
    </Resource>
  );
}

interface FoundProps {
  readonly host: string;
  readonly plugins: readonly PluginSummary[];
}

function Found({ host, plugins }: FoundProps) {
  const text = usePluginsText();
  const { t } = text;
  if (plugins.length === 0) {
    return (
      <EmptyState icon="plugins" title={t('plugins.none')}>
        {t('plugins.noneHelp')}
      </EmptyState>
    );
  }
  return (
    <Table
      caption={t('plugins.list')}
      columns={columnsOf(text, host)}
      rows={plugins}
      rowKey={({ name }) => name}
      under="ground"
    />
  );
}

function columnsOf({ t }: PluginsText, host: string): Column<PluginSummary>[] {
  return [
    {
      key: 'name',
      title: t('column.name'),
      sortBy: ({ name }) => name,
      cell: ({ name }) => <Link href={pluginsHref(host, name)}>{name}</Link>,
    },
    {
      key: 'type',
      title: t('column.type'),
      sortBy: ({ type }) => t(`type.${type}`),
      cell: ({ type }) => t(`type.${type}`),
    },
    { key: 'version', title: t('column.version'), cell: ({ version }) => version },
    {
      key: 'status',
      title: t('column.status'),
      sortBy: ({ status }) => status,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    { key: 'origin', title: t('column.origin'), cell: ({ origin }) => t(`origin.${origin}`) },
    {
      key: 'since',
      title: t('column.since'),
      sortBy: ({ since }) => since,
      align: 'end',
      cell: ({ since }) => <RelativeTime time={since} />,
    },
  ];
}

function Refused({ refused }: { readonly refused: readonly RefusedPlugin[] }) {
  const { t } = usePluginsText();
  return (
    <Panel title={t('plugins.refused')} note={t('plugins.refusedNote')}>
      <Table
        caption={t('plugins.refused')}
        columns={[
          { key: 'source', title: t('plugins.source'), cell: ({ source }) => source },
          { key: 'reason', title: t('plugins.reason'), cell: ({ reason }) => reason },
        ]}
        rows={refused}
        rowKey={({ source }) => source}
      />
    </Panel>
  );
}
