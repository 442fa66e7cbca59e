import type { SensorEncoding } from '../../../edge/sensors/contract/encoding.ts';
import type { Reading } from '../../../edge/sensors/contract/reading.ts';
import {
  createSpikeBuffer,
  packSpikes,
  type SpikeBuffer,
} from '../../widgets/buffers/spike-buffer.ts';

/** So many readings are seen at once. */
export const SHOWN_READINGS = 100;

/** The spikes of readings: `steps` columns for each. */
export interface ReadingSpikes {
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
