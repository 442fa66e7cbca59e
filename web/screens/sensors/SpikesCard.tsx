import type { SensorEncoding } from '../../../edge/sensors/contract/encoding.ts';
import { classNames } from '../../ui/class-names.ts';
import type { SpikeBuffer } from '../../widgets/buffers/spike-buffer.ts';
import { SpikeRaster } from '../../widgets/spike-raster/SpikeRaster.tsx';
import { SHOWN_READINGS } from './reading-spikes.ts';
import css from './Sensors.module.css';
import { useSensorsText } from './sensors-text.ts';

export interface SpikesCardProps {
  readonly title: string;
  readonly encoding: SensorEncoding;
  readonly buffer: SpikeBuffer;
  readonly state: 'running' | 'stopped';
}

/** The spikes that readings became, with what the rows mean. */
export function SpikesCard({ title, encoding, buffer, state }: SpikesCardProps) {
  const { t } = useSensorsText();
  const { code, steps } = encoding;
  return (
    <div className={classNames(css['card'], css['raster'])}>
      <SpikeRaster
        title={title}
        level={3}
        buffer={buffer}
        columns={SHOWN_READINGS * steps}
        state={state}
      />
      <p className={css['note']}>{t(`code.${code}.rows`, { steps })}</p>
    </div>
  );
}
