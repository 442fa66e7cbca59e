import { Link } from 'wouter';
import type { ModelDetails, VersionSummary } from '../../../edge/contract/model.ts';
import type { Text } from '../../i18n/text.ts';
import { useText } from '../../i18n/text-context.ts';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { StatusBadge } from './StatusBadge.tsx';

export interface ModelVersionsProps {
  readonly model: ModelDetails;
}

/** All versions of a model, highest first, each a link to itself. */
export function ModelVersions({ model }: ModelVersionsProps) {
  const text = useText();
  return (
    <Table
      caption={text.t('model.versions')}
      columns={versionColumns(text, model)}
      rows={model.versions}
      rowKey={({ version }) => version}
    />
  );
}

function versionColumns(
  { t, format }: Text,
  { model_id: id, version: shown }: ModelDetails,
): readonly Column<VersionSummary>[] {
  return [
    {
      key: 'version',
      title: t('models.version'),
      cell: ({ version }) => (
        <Link
          href={`/models/${encodeURIComponent(id)}?version=${encodeURIComponent(version)}`}
          aria-current={version === shown ? 'true' : undefined}
        >
          {version}
        </Link>
      ),
    },
    {
      key: 'status',
      title: t('models.status'),
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      key: 'size',
      title: t('models.size'),
      align: 'end',
      cell: (summary) => format.bytes(summary.total_size_bytes),
    },
    {
      key: 'created',
      title: t('models.created'),
      align: 'end',
      cell: (summary) => <RelativeTime time={summary.created_at} />,
    },
  ];
}
