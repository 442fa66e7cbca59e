import { useState } from 'react';
import type { ModelDetails } from '../../../../edge/registry/contract/model.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Table, type Column } from '../../../ui/Table.tsx';
import { useModelsText, type ModelsText } from '../models-text.ts';
import css from '../Model.module.css';
import { aliasesOf, type AliasRow } from './alias-table.ts';
import { DeleteAlias } from './DeleteAlias.tsx';
import { MoveAlias } from './MoveAlias.tsx';

type Asked =
  | { readonly what: 'nothing' | 'new' }
  | { readonly what: 'move' | 'delete'; readonly row: AliasRow };

/** The aliases of a model: where each points, and how to point it elsewhere. */
export function AliasPanel({ model }: { readonly model: ModelDetails }) {
  const { t } = useModelsText();
  const [asked, setAsked] = useState<Asked>({ what: 'nothing' });
  const close = () => setAsked({ what: 'nothing' });
  const rows = aliasesOf(model);
  return (
    <Panel
      title={t('alias.title')}
      note={t('alias.note')}
      actions={<Button onClick={() => setAsked({ what: 'new' })}>{t('alias.new')}</Button>}
    >
      {rows.length === 0 ? (
        <EmptyState title={t('alias.none')}>{t('alias.noneHelp')}</EmptyState>
      ) : (
        <AliasTable rows={rows} onAsk={(what, row) => setAsked({ what, row })} />
      )}
      {asked.what === 'new' && <MoveAlias model={model} onClose={close} />}
      {asked.what === 'move' && <MoveAlias model={model} alias={asked.row} onClose={close} />}
      {asked.what === 'delete' && (
        <DeleteAlias modelId={model.model_id} alias={asked.row} onClose={close} />
      )}
    </Panel>
  );
}

interface AliasTableProps {
  readonly rows: readonly AliasRow[];
  readonly onAsk: (what: 'move' | 'delete', row: AliasRow) => void;
}

function AliasTable({ rows, onAsk }: AliasTableProps) {
  const text = useModelsText();
  return (
    <Table
      caption={text.t('alias.title')}
      rows={rows}
      rowKey={({ alias }) => alias}
      columns={aliasColumns(text, onAsk)}
    />
  );
}

function aliasColumns(
  { t }: ModelsText,
  onAsk: AliasTableProps['onAsk'],
): readonly Column<AliasRow>[] {
  return [
    { key: 'alias', title: t('alias.name'), cell: ({ alias }) => <code>{alias}</code> },
    { key: 'version', title: t('alias.pointsTo'), cell: ({ version }) => version },
    {
      key: 'actions',
      title: t('alias.actions'),
      align: 'end',
      cell: (row) => (
        <span className={css['actions']}>
          <Button
            tone="quiet"
            aria-label={t('alias.move', { alias: row.alias })}
            onClick={() => onAsk('move', row)}
          >
            {t('alias.moveShort')}
          </Button>
          <Button
            tone="quiet"
            icon="trash"
            aria-label={t('alias.delete', { alias: row.alias })}
            onClick={() => onAsk('delete', row)}
          >
            {t('ui.delete')}
          </Button>
        </span>
      ),
    },
  ];
}
