import type { FileRecord } from '../../../edge/registry/contract/model-file.ts';
import type { ModelDetails } from '../../../edge/registry/contract/model.ts';
import { downloadUrl } from '../../api/model-queries.ts';
import { useCopy } from '../../app/use-copy.ts';
import { column, endColumn } from '../../records/columns.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import css from './Model.module.css';
import { UploadPanel } from './UploadPanel.tsx';
import { useModelsText } from './words/en-models.ts';

/** The files of a version, to download, to compare by digest, and to add to. */
export function ModelFiles({ model }: { readonly model: ModelDetails }) {
  const { t } = useModelsText();
  const columns = useColumns(model);
  return (
    <Stack>
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
    </Stack>
  );
}

function useColumns({ model_id: modelId, version }: ModelDetails): readonly Column<FileRecord>[] {
  const { t, format } = useModelsText();
  return [
    column(t('model.file'), ({ filename }) => (
      <a
        className={css['file']}
        href={downloadUrl({ id: modelId, filename, version })}
        download={filename}
      >
        <Icon name="download" size="small" />
        {filename}
      </a>
    )),
    endColumn(t('models.size'), (file) => format.bytes(file.size_bytes)),
    column(t('model.digest'), ({ filename, digest }) => (
      <DigestButton of={filename} digest={digest} />
    )),
    column(t('model.contentType'), (file) => file.content_type),
    endColumn(t('models.created'), (file) => <RelativeTime time={file.created_at} />),
  ];
}

interface DigestButtonProps {
  /** The name of the digested file. */
  readonly of: string;
  /** `sha256:` and 64 hex digits. */
  readonly digest: string;
}

/** A shortened digest; complete in the tooltip and on the clipboard. */
function DigestButton({ of, digest }: DigestButtonProps) {
  const { t } = useModelsText();
  const copy = useCopy();
  const short = `${digest.slice(7, 15)}…${digest.slice(-4)}`;

  return (
    <Tooltip text={digest}>
      <button type="button" className={css['digest']} onClick={() => void copy(digest)}>
        <span className="visually-hidden">{t('model.copyDigest', { file: of })}</span>
        <code>{short}</code>
        <Icon name="copy" size="small" />
      </button>
    </Tooltip>
  );
}
