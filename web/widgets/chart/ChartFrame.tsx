import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Row, Stack } from '../../ui/Layout.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Table } from '../../ui/Table.tsx';
import { saveFile } from '../../ui/save-file.ts';
import css from './ChartFrame.module.css';
import { type TableData, toCsv } from './table-data.ts';
import { type ReactNode, useId, useState } from 'react';
import { useChartText } from './chart-text.ts';

interface ChartFrameProps {
  readonly title: string;
  /** Which heading the title is: 2 where the chart stands for itself, 3 within a panel. */
  readonly level?: 2 | 3;
  /** Text description of the chart for screen readers, one sentence per curve. */
  readonly sentences: readonly string[];
  /** Legend of the marks, next to the title. */
  readonly legend?: ReactNode;
  /** Switches that belong to the plot. */
  readonly controls?: ReactNode;
  /** The values as text; only called while the table is shown, and for the file. */
  readonly table: () => TableData;
  /** Data of the exported file, where that is more than the table shows. */
  readonly file?: () => TableData;
  /** The plot. */
  readonly children: ReactNode;
}

const VIEWS = ['plot', 'table'] as const;

/** The frame of every chart: title, sentence, data table, and its file export. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, level = 2, sentences, legend, controls, table, file = table } = props;
  const { children } = props;
  const { t } = useChartText();
  const id = useId();
  const [view, setView] = useState<(typeof VIEWS)[number]>('plot');
  const Heading = level === 2 ? 'h2' : 'h3';
  const tableView = () => <ChartTable caption={title} data={table()} />;
  const broken = () => (
    <>
      <p className={css['broken']}>{t('chart.failed')}</p>
      {tableView()}
    </>
  );
  return (
    <Stack as="figure" gap={2} aria-labelledby={id}>
      <header className={css['head']}>
        <Row gap={[0, 4]} align="baseline">
          <Heading id={id}>{title}</Heading>
          {legend}
        </Row>
        <div className={css['views']}>
          <Segmented
            legend={t('chart.view', { chart: title })}
            options={VIEWS.map((value) => ({
              value,
              label: t(`chart.${value}`),
              icon: value,
              face: 'icon',
            }))}
            value={view}
            onChange={setView}
          />
          <IconButton
            icon="download"
            label={t('chart.export', { chart: title })}
            onClick={() => saveCsv(title, file())}
          />
        </div>
      </header>
      {view === 'plot' && controls && <Row gap={[2, 4]}>{controls}</Row>}
      {view === 'table' ? tableView() : <ErrorBoundary fallback={broken}>{children}</ErrorBoundary>}
      <figcaption className={css['sentences']}>
        {sentences.length === 0 ? t('chart.noData') : null}
        {sentences.map((sentence) => (
          <span key={sentence}>{sentence}</span>
        ))}
      </figcaption>
    </Stack>
  );
}

interface ChartTableProps {
  readonly caption: string;
  readonly data: TableData;
}

/** The values behind a chart. Rows are known by their place: they have nothing else in common. */
function ChartTable({ caption, data }: ChartTableProps) {
  const rows = data.rows.map((cells, index) => ({ cells, index }));
  const columns = data.columns.map((title, column) => ({
    key: title,
    title,
    align: column === 0 ? ('start' as const) : ('end' as const),
    cell: (row: (typeof rows)[number]) => row.cells[column],
  }));
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.index}
      height="limited"
    />
  );
}

/** Hands the table to the browser as a file to keep. */
function saveCsv(name: string, data: TableData): void {
  // The mark tells spreadsheets that the file is UTF-8: they guess otherwise.
  saveFile(`${name}.csv`, new Blob(['\uFEFF', toCsv(data)], { type: 'text/csv;charset=utf-8' }));
}
