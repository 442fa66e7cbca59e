import { Grid } from '../../../ui/Layout.tsx';
import type { ShownReport, ViewProps } from '../reports/shown-report.ts';
import { ConfusionView } from './ConfusionView.tsx';
import { LayersPlot, PositionsPlot, ReliabilityPlot } from './CurvePlots.tsx';
import { EnergyView } from './EnergyView.tsx';
import { FiguresTable } from './FiguresTable.tsx';

/** The figures of reports side by side, and their pictures where they have what is drawn. */
export function Pictures({ reports }: ViewProps) {
  const some = (hasIt: (report: ShownReport['report']) => unknown) =>
    reports.filter(({ report }) => hasIt(report) !== undefined);
  const streams = some(({ language }) => (language?.form === 'stream' ? language : undefined));
  const windows = some(({ language }) => (language?.form === 'windows' ? language : undefined));
  const calibrated = some((report) => report.language ?? report.classification);
  const spiking = some(({ spikes }) => spikes);
  const counted = some(({ energy }) => energy);
  return (
    <>
      <FiguresTable reports={reports} />
      <Grid min="20rem" gap={4}>
        {streams.length > 0 && <PositionsPlot form="stream" reports={streams} />}
        {windows.length > 0 && <PositionsPlot form="windows" reports={windows} />}
        {calibrated.length > 0 && <ReliabilityPlot reports={calibrated} />}
        {spiking.length > 0 && <LayersPlot reports={spiking} />}
      </Grid>
      {some(({ classification }) => classification).map((shown) => (
        <ConfusionView key={shown.id} shown={shown} />
      ))}
      {counted.length > 0 && <EnergyView reports={counted} />}
    </>
  );
}
