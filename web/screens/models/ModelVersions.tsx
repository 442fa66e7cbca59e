import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ModelDetails, VersionSummary } from '../../../edge/registry/contract/model.ts';
import { deleteVersion, versionQuery } from '../../api/registry-versions.ts';
import { Chips } from '../../records/Chips.tsx';
import { column, endColumn } from '../../records/columns.ts';
import { Button } from '../../ui/Button.tsx';
import { Row, Stack } from '../../ui/Layout.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { AliasPanel } from './AliasPanel.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { aliasTexts, StatusBadge } from './StatusBadge.tsx';
import { type ModelsText, useModelsText } from './words/en-models.ts';

interface ModelVersionsProps {
  readonly model: ModelDetails;
  readonly onCompare: (version: string) => void;
  readonly onVersion: (version: string) => void;
}

interface Actions {
  readonly onCompare: (version: string) => void;
  readonly onDelete: (version: VersionSummary) => void;
}

/** All versions of a model, highest first, each a link to itself, and the aliases they have. */
export function ModelVersions({ model, onCompare, onVersion }: ModelVersionsProps) {
  const text = useModelsText();
  const [, navigate] = useLocation();
  const [deleting, setDeleting] = useState<VersionSummary>();
  const deleted = (left: 'versions' | 'nothing') => {
    if (left === 'nothing') navigate('/models');
    else if (deleting?.version === model.version) onVersion('');
  };
  return (
    <Stack>
      <Table
        caption={text.t('model.versions')}
        columns={versionColumns(text, model, { onCompare, onDelete: setDeleting })}
        rows={model.versions}
        rowKey={({ version }) => version}
      />
      <AliasPanel model={model} />
      {deleting && (
        <DeleteVersion
          model={model}
          version={deleting}
          onDeleted={deleted}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Stack>
  );
}

function versionColumns(
  { t, format }: ModelsText,
  { model_id: id, version: shown }: ModelDetails,
  actions: Actions,
): readonly Column<VersionSummary>[] {
  return [
    column(t('models.version'), ({ version }) => (
      <Link
        href={`/models/${encodeURIComponent(id)}?version=${encodeURIComponent(version)}`}
        aria-current={version === shown ? 'true' : undefined}
      >
        {version}
      </Link>
    )),
    column(t('models.status'), ({ status }) => <StatusBadge status={status} />),
    column(t('model.aliases'), ({ aliases }) => (
      <Chips accented={aliasTexts(aliases)} items={[]} />
    )),
    endColumn(t('models.size'), (summary) => format.bytes(summary.total_size_bytes)),
    endColumn(t('models.created'), (summary) => <RelativeTime time={summary.created_at} />),
    endColumn(t('versions.actions'), (summary) => (
      <VersionActions summary={summary} shown={shown} {...actions} />
    )),
  ];
}

interface VersionActionsProps extends Actions {
  readonly summary: VersionSummary;
  readonly shown: string;
}

function VersionActions({ summary, shown, onCompare, onDelete }: VersionActionsProps) {
  const { t } = useModelsText();
  const { version } = summary;
  return (
    <Row as="span" gap={1} justify="flex-end">
      {version !== shown && (
        <Button
          tone="quiet"
          aria-label={t('versions.compare', { version })}
          onClick={() => onCompare(version)}
        >
          {t('versions.compareShort')}
        </Button>
      )}
      <Button
        tone="quiet"
        icon="trash"
        aria-label={t('versions.delete', { version })}
        onClick={() => onDelete(summary)}
      >
        {t('ui.delete')}
      </Button>
    </Row>
  );
}

interface DeleteVersionProps {
  readonly model: ModelDetails;
  readonly version: VersionSummary;
  /** Called with whether versions remain. */
  readonly onDeleted: (left: 'versions' | 'nothing') => void;
  readonly onClose: () => void;
}

/** Deletes one version by the registry's rules. */
function DeleteVersion({ model, version, onDeleted, onClose }: DeleteVersionProps) {
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
