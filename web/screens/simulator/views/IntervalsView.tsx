import { useState } from 'react';
import { INTERVAL_BIN_MS, INTERVAL_BINS } from '../../../simulator/host/spike-analysis.ts';
import type { RasterLayout } from '../../../simulator/raster-layout.ts';
import { SelectField } from '../../../ui/SelectField.tsx';
import { ValueHistogram } from '../../../widgets/value-histogram/ValueHistogram.tsx';
import bench from '../../../ui/Workbench.module.css';
import { useSimulatorText } from '../simulator-text.ts';
import { useSimulator } from '../simulator-store.ts';

const NONE = new Uint32Array(INTERVAL_BINS);

/** The time between the spikes of a neuron, over one population. */
export function IntervalsView({ layout }: { readonly layout: RasterLayout }) {
  const { t, format } = useSimulatorText();
  const figures = useSimulator((simulator) => simulator.figures);
  const [chosen, choose] = useState('');
  const names = layout.populations.map(({ name }) => name);
  const index = Math.max(0, names.indexOf(chosen));
  const of = figures?.populations[index];
  const name = names[index] ?? '';
  return (
    <div className={bench['card']}>
      <ValueHistogram
        title={t('view.intervals')}
        bins={{
          from: 0,
          to: INTERVAL_BINS * INTERVAL_BIN_MS,
          counts: of?.intervals ?? NONE,
          outside: 0,
        }}
        label={t('view.interval')}
        write={(value) => t('view.ms', { value: format.number(value) })}
        sentences={
          of
            ? [
                t('view.saidIntervals', {
                  name,
                  rate: t('view.hertz', { value: format.number(of.rateHz) }),
                  variation: format.number(of.isiCv),
                }),
              ]
            : []
        }
        controls={
          <SelectField
            label={t('view.population')}
            options={names.map((value) => ({ value, label: value }))}
            value={name}
            onChange={choose}
          />
        }
      />
    </div>
  );
}
