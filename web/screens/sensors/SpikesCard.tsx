import type { SensorEncoding } from '../../../edge/sensors/contract/encoding.ts';
import type { Reading } from '../../../edge/sensors/contract/reading.ts';
import { classNames } from '../../ui/class-names.ts';
import { Note } from '../../ui/Layout.tsx';
import {
  createSpikeBuffer,
  packSpikes,
  type SpikeBuffer,
} from '../../widgets/buffers/spike-buffer.ts';
import { SpikeRaster } from '../../widgets/spike-raster/SpikeRaster.tsx';
import css from './Sensors.module.css';
import { useSensorsText } from './words/en-sensors.ts';

interface SpikesCardProps {
  readonly title: string;
  readonly encoding: SensorEncoding;
  readonly buffer: SpikeBuffer;
  readonly state: 'running' | 'stopped';
}

/** The spikes of readings, with an explanation of the rows. */
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
      <Note>{t(`code.${code}.rows`, { steps })}</Note>
    </div>
  );
}

/** Readings shown at once. */
export const SHOWN_READINGS = 100;

/** The spikes of readings: `steps` columns for each. */
interface ReadingSpikes {
  /** The second row is the OFF neuron of the delta code. */
  readonly buffer: SpikeBuffer;
  add(reading: Reading): void;
}

export function createReadingSpikes({
  code,
  steps,
}: Pick<SensorEncoding, 'code' | 'steps'>): ReadingSpikes {
  // The raster draws the newest of what it holds. The delta code has a neuron for what rises, and one for what falls.
  const buffer = createSpikeBuffer(code === 'delta' ? 2 : 1, 2 * SHOWN_READINGS * steps);
  return {
    buffer,
    add({ spikes }) {
      const [on, off] = [new Set(spikes.on), new Set(spikes.off)];
      for (let step = 0; step < steps; step++) {
        buffer.push(packSpikes([on.has(step), off.has(step)].slice(0, buffer.neurons)));
      }
    },
  };
}
