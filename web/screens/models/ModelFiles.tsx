import type { FileRecord } from '../../../edge/registry/contract/model-file.ts';
import type { ModelDetails } from '../../../edge/registry/contract/model.ts';
import { downloadUrl } from '../../api/model-queries.ts';
import { useModelsText } from './models-text.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { DigestButton } from './DigestButton.tsx';
import css from './Model.module.css';
import { UploadPanel } from './upload/UploadPanel.tsx';

export interface ModelFilesProps {
  readonly model: ModelDetails;
}

/** The files of a version, to download, to compare by digest, and to add to. */
export function ModelFiles({ model }: ModelFilesProps) {
  const { t } = useModelsText();
  const columns = useColumns(model);
  return (
    <div className={css['stack']}>
      {model.files.length === 0 ? (
        <EmptyState title={t('model.noFiles')}>{t('model.noFilesHelp')}</EmptyState>
      ) : (
        <Table
          caption={t('model.files')}
          columns={columns}
          rows={model.files}
          rowKey={({ filename }) => filename}
        />
      )}
      <UploadPanel model={model} />
    </div>
  );
}

function useColumns({ model_id: modelId, version }: ModelDetails): readonly Column<FileRecord>[] {
  const { t, format } = useModelsText();
  return [
    {
      key: 'file',
      title: t('model.file'),
      cell: ({ filename }) => (
        <a
          className={css['file']}
          href={downloadUrl({ id: modelId, filename, version })}
          download={filename}
        >
          <Icon name="download" size="small" />
          {filename}
        </a>
      ),
    },
    {
      key: 'size',
      title: t('models.size'),
      align: 'end',
      cell: (file) => format.bytes(file.size_bytes),
    },
    {
      key: 'digest',
      title: t('model.digest'),
      cell: ({ filename, digest }) => <DigestButton of={filename} digest={digest} />,
    },
    { key: 'type', title: t('model.contentType'), cell: (file) => file.content_type },
    {
      key: 'created',
      title: t('models.created'),
      align: 'end',
      cell: (file) => <RelativeTime time={file.created_at} />,
    },
  ];
}
