import { binRates } from '../../../../web/widgets/histogram/bin-rates.ts';
import { Histogram } from '../../../../web/widgets/histogram/Histogram.tsx';
import { MembraneTraces } from '../../../../web/widgets/membrane-traces/MembraneTraces.tsx';
import { SpikeRaster } from '../../../../web/widgets/spike-raster/SpikeRaster.tsx';
import { TimeSeries } from '../../../../web/widgets/time-series/TimeSeries.tsx';
import { COLUMNS, CURVES, type Stage } from './stage.ts';

/** 128 neurons: eight dead, four saturated, the rest spread over the low rates. */
const RATES = binRates(
  Float32Array.from({ length: 128 }, (_, neuron) => {
    if (neuron < 8) return 0;
    return neuron >= 124 ? 0.8 : 0.3 * (neuron / 128) ** 2;
  }),
  { bins: 24, saturatedAt: 0.5 },
);

export interface WidgetsPageProps {
  readonly stage: Stage;
  readonly state: 'running' | 'stopped';
}

/** Every widget, with data that the test pushes into the stage. */
export function WidgetsPage({ stage, state }: WidgetsPageProps) {
  return (
    <>
      <h1>Widgets</h1>
      <TimeSeries title="Learning" buffer={stage.series} series={CURVES} axis="step" />
      <SpikeRaster title="Spikes" buffer={stage.spikes} columns={COLUMNS} state={state} />
      <MembraneTraces
        title="Potentials"
        buffer={stage.traces}
        thresholds={1}
        columns={COLUMNS}
        state={state}
      />
      <Histogram title="Rates" rates={RATES} />
    </>
  );
}
