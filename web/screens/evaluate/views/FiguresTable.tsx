import { Panel } from '../../../ui/Panel.tsx';
import { Table, type Column } from '../../../ui/Table.tsx';
import css from '../Evaluate.module.css';
import { useEvaluateText } from '../evaluate-text.ts';
import { figureRows, type FigureRow } from './figure-rows.ts';
import type { ViewProps } from './Pictures.tsx';

/** Every figure of the reports side by side; those that none of them has are left out. */
export function FiguresTable({ reports }: ViewProps) {
  const text = useEvaluateText();
  const { t } = text;
  const columns: Column<FigureRow>[] = [
    {
      key: 'figure',
      title: t('figures.figure'),
      cell: labelCell,
    },
    ...reports.map(({ id, name }, index): Column<FigureRow> => ({
      key: id,
      title: name,
      align: 'end',
      cell: valueCell(index),
    })),
  ];
  return (
    <Panel title={t('figures.title')} note={t('figures.note')}>
      <Table
        caption={t('figures.title')}
        columns={columns}
        rows={figureRows(
          reports.map(({ report }) => report),
          text,
        )}
        rowKey={({ label }) => label}
      />
    </Panel>
  );
}

function labelCell({ label }: FigureRow) {
  return <span className={css['label']}>{label}</span>;
}

function valueCell(index: number): Column<FigureRow>['cell'] {
  return function ValueCell({ values }) {
    return <span className={css['value']}>{values[index] ?? '–'}</span>;
  };
}
