import type { RasterLayout } from '../../../simulator/raster-layout.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { Table } from '../../../ui/Table.tsx';
import { useSimulatorText } from '../simulator-text.ts';
import { useSimulator } from '../simulator-store.ts';

/** Each population in a row: its size, its rate, and how irregularly its neurons fire. */
export function FiguresTable({ layout }: { readonly layout: RasterLayout }) {
  const { t, format } = useSimulatorText();
  const figures = useSimulator((simulator) => simulator.figures);
  const rows = layout.populations.map((population, index) => ({
    ...population,
    figures: figures?.populations[index],
  }));
  type Row = (typeof rows)[number];
  const number = (key: string, title: string, cell: (row: Row) => string) =>
    ({ key, title, align: 'end', cell }) as const;
  return (
    <Panel title={t('view.figures')}>
      <Table
        caption={t('view.figures')}
        columns={[
          { key: 'name', title: t('view.population'), cell: ({ name }) => name },
          number('count', t('run.neurons'), ({ count }) => format.integer(count)),
          number('spikes', t('view.spikes'), (row) => format.integer(row.figures?.spikes ?? 0)),
          number('rate', t('view.rate'), (row) => format.number(row.figures?.rateHz ?? Number.NaN)),
          number('variation', t('view.variation'), (row) =>
            format.number(row.figures?.isiCv ?? Number.NaN),
          ),
        ]}
        rows={rows}
        rowKey={({ name }) => name}
      />
    </Panel>
  );
}
