import { useMemo } from 'react';
import type { RasterLayout } from '../../../simulator/raster-layout.ts';
import { classNames } from '../../../ui/class-names.ts';
import { SHOWN_COLUMNS } from '../../../simulator/simulator.ts';
import { useSampled } from '../../../widgets/canvas/use-sampled.ts';
import { createSpikeBuffer, type SpikeBuffer } from '../../../widgets/buffers/spike-buffer.ts';
import { SpikeRaster } from '../../../widgets/spike-raster/SpikeRaster.tsx';
import bench from '../../../ui/Workbench.module.css';
import css from '../Simulator.module.css';
import { useSimulatorText } from '../simulator-text.ts';
import { useSimulator } from '../simulator-store.ts';

const AXIS_EVERY_MS = 250;

/** Who fired when: a row a neuron, a column a millisecond, or a step where that is longer. */
export function RasterView({ layout }: { readonly layout: RasterLayout }) {
  const { t } = useSimulatorText();
  const { rows, populations, dt, columnSteps } = layout;
  const state = useSimulator((simulator) => simulator.state);
  // Before the network is made, its raster is empty already.
  const empty = useMemo(() => createSpikeBuffer(rows, 2 * SHOWN_COLUMNS), [rows]);
  const raster = useSimulator((simulator) => simulator.raster) ?? empty;
  const parts = populations
    .map((part) => t('view.rows', { name: part.name, count: part.rows }))
    .join(', ');
  return (
    <div className={classNames(bench['card'], css['raster'])}>
      <SpikeRaster
        title={t('view.raster')}
        buffer={raster}
        columns={SHOWN_COLUMNS}
        state={state.status === 'running' ? 'running' : 'stopped'}
        axis={<TimeAxis raster={raster} columnMs={columnSteps * dt} />}
      />
      <p className={css['note']}>{t('view.rasterNote', { parts })}</p>
    </div>
  );
}

/** The ends of what is in sight, ms. */
function TimeAxis({
  raster,
  columnMs,
}: {
  readonly raster: SpikeBuffer;
  readonly columnMs: number;
}) {
  const { t, format } = useSimulatorText();
  useSampled(raster, AXIS_EVERY_MS);
  const first = Math.max(0, raster.steps - SHOWN_COLUMNS);
  const at = (column: number) => t('view.axis', { time: format.integer(column * columnMs) });
  return (
    <div className={css['axis']} aria-hidden="true">
      <span>{at(first)}</span>
      <span>{at(first + SHOWN_COLUMNS)}</span>
    </div>
  );
}
