import { useQuery } from '@tanstack/react-query';
import type { ModelDetails, VersionSummary } from '../../../../edge/registry/contract/model.ts';
import { deleteVersion, versionQuery } from '../../../api/registry-versions.ts';
import { DeleteDialog } from '../DeleteDialog.tsx';
import { useModelsText } from '../models-text.ts';

export interface DeleteVersionProps {
  readonly model: ModelDetails;
  readonly version: VersionSummary;
  /** Called with whether the model went too. */
  readonly onDeleted: (left: 'versions' | 'nothing') => void;
  readonly onClose: () => void;
}

/** Deletes one version by the registry's rules. */
export function DeleteVersion({ model, version, onDeleted, onClose }: DeleteVersionProps) {
  const { t, format } = useModelsText();
  const address = { id: model.model_id, version: version.version };
  const { data } = useQuery(versionQuery(address));
  const aliases = data?.aliases ?? version.aliases;
  const isLast = model.versions.length === 1;
  const objections = [
    ...(aliases.length > 0 ? [t('delete.aliased', { aliases: format.list(aliases) })] : []),
    ...(isLast ? [t('delete.last')] : []),
  ];
  const size = format.bytes(version.total_size_bytes);
  return (
    <DeleteDialog
      title={t('delete.title', { version: version.version })}
      name={version.version}
      rules={[
        ...(data ? [t('delete.files', { count: data.files.length, size })] : []),
        t('delete.number'),
        t('delete.lineage'),
      ]}
      objections={objections}
      gone={isLast ? { id: model.model_id, version: '' } : address}
      onDelete={(force) => deleteVersion(address, force)}
      onDeleted={() => onDeleted(isLast ? 'nothing' : 'versions')}
      onClose={onClose}
    />
  );
}
