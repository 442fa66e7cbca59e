import { Link } from 'wouter';
import type { VersionRecord } from '../../../edge/registry/contract/model.ts';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Chips, StatusBadge } from './Chips.tsx';
import { type ModelsText, useModelsText } from './models-text.ts';
import css from './Models.module.css';

interface ModelTableProps {
  readonly models: readonly VersionRecord[];
}

/** Each model by its default version. */
export function ModelTable({ models }: ModelTableProps) {
  const text = useModelsText();
  return (
    <Table
      caption={text.t('models.list')}
      columns={modelColumns(text)}
      rows={models}
      rowKey={(model) => model.model_id}
    />
  );
}

function modelColumns({ t, format }: ModelsText): readonly Column<VersionRecord>[] {
  return [
    {
      key: 'name',
      title: t('models.name'),
      cell: (model) => (
        <span className={css['name']}>
          <Link href={`/models/${encodeURIComponent(model.model_id)}`}>{model.name}</Link>
          <code className={css['id']}>{model.model_id}</code>
        </span>
      ),
    },
    {
      key: 'status',
      title: t('models.status'),
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    { key: 'version', title: t('models.version'), cell: ({ version }) => version },
    {
      key: 'aliases',
      title: t('list.aliases'),
      cell: (model) => <Chips aliases={model.aliases} tags={model.tags} />,
    },
    { key: 'type', title: t('models.type'), cell: (model) => model.model_type },
    { key: 'framework', title: t('models.framework'), cell: ({ framework }) => framework },
    {
      key: 'size',
      title: t('models.size'),
      align: 'end',
      cell: (model) => format.bytes(model.total_size_bytes),
    },
    {
      key: 'created',
      title: t('models.created'),
      align: 'end',
      cell: (model) => <RelativeTime time={model.created_at} />,
    },
  ];
}
