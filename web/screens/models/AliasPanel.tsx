import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModelDetails } from '../../../edge/registry/contract/model.ts';
import { aliasQuery, deleteAlias, refreshModels } from '../../api/registry-versions.ts';
import { useServices } from '../../app/services.ts';
import { column, endColumn } from '../../records/columns.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Row } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { aliasesOf, type AliasRow, MoveAlias } from './MoveAlias.tsx';
import { type ModelsText, useModelsText } from './words/en-models.ts';

type AliasDialog =
  | { readonly what: 'nothing' | 'new' }
  | { readonly what: 'move' | 'delete'; readonly row: AliasRow };

/** The aliases of a model: where each points, and how to point it elsewhere. */
export function AliasPanel({ model }: { readonly model: ModelDetails }) {
  const { t } = useModelsText();
  const [dialog, setDialog] = useState<AliasDialog>({ what: 'nothing' });
  const close = () => setDialog({ what: 'nothing' });
  const rows = aliasesOf(model);
  return (
    <Panel
      title={t('alias.title')}
      note={t('alias.note')}
      actions={<Button onClick={() => setDialog({ what: 'new' })}>{t('alias.new')}</Button>}
    >
      {rows.length === 0 ? (
        <EmptyState title={t('alias.none')}>{t('alias.noneHelp')}</EmptyState>
      ) : (
        <AliasTable rows={rows} onOpen={(what, row) => setDialog({ what, row })} />
      )}
      {dialog.what === 'new' && <MoveAlias model={model} onClose={close} />}
      {dialog.what === 'move' && <MoveAlias model={model} alias={dialog.row} onClose={close} />}
      {dialog.what === 'delete' && (
        <DeleteAlias modelId={model.model_id} alias={dialog.row} onClose={close} />
      )}
    </Panel>
  );
}

interface AliasTableProps {
  readonly rows: readonly AliasRow[];
  readonly onOpen: (what: 'move' | 'delete', row: AliasRow) => void;
}

function AliasTable({ rows, onOpen }: AliasTableProps) {
  const text = useModelsText();
  return (
    <Table
      caption={text.t('alias.title')}
      rows={rows}
      rowKey={({ alias }) => alias}
      columns={aliasColumns(text, onOpen)}
    />
  );
}

function aliasColumns(
  { t }: ModelsText,
  onOpen: AliasTableProps['onOpen'],
): readonly Column<AliasRow>[] {
  return [
    column(t('alias.name'), ({ alias }) => <code>{alias}</code>),
    column(t('alias.pointsTo'), ({ version }) => version),
    endColumn(t('alias.actions'), (row) => (
      <Row as="span" gap={1} justify="flex-end">
        <Button
          tone="quiet"
          aria-label={t('alias.move', { alias: row.alias })}
          onClick={() => onOpen('move', row)}
        >
          {t('alias.moveShort')}
        </Button>
        <Button
          tone="quiet"
          icon="trash"
          aria-label={t('alias.delete', { alias: row.alias })}
          onClick={() => onOpen('delete', row)}
        >
          {t('ui.delete')}
        </Button>
      </Row>
    )),
  ];
}

interface DeleteAliasProps {
  readonly modelId: string;
  readonly alias: AliasRow;
  readonly onClose: () => void;
}

function DeleteAlias({ modelId, alias: { alias, version }, onClose }: DeleteAliasProps) {
  const { t } = useModelsText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  const { data: seen, error, refetch } = useQuery(aliasQuery(modelId, alias));
  const remove = useMutation({
    mutationFn: async () => {
      if (seen) await deleteAlias(seen);
    },
    async onSuccess() {
      toasts.show(t('alias.deleted', { alias }), 'good');
      onClose();
      await refreshModels(queries);
    },
  });
  return (
    <FormDialog
      title={t('alias.deleteTitle', { alias })}
      submit={t('ui.delete')}
      tone="danger"
      isReady={seen !== undefined}
      request={remove}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('alias.deleteBody', { alias, version: seen?.version ?? version })}</p>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
    </FormDialog>
  );
}
