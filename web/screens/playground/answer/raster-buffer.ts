import type { LayerRaster } from '../../../../edge/inference/contract/infer.ts';
import { createSpikeBuffer, type SpikeBuffer } from '../../../widgets/buffers/spike-buffer.ts';

/** A layer's spikes for the raster; null where there are none, or the bytes are not as many as it says. */
export function rasterBuffer({ neurons, times, bits }: LayerRaster): SpikeBuffer | null {
  const bytes = Uint8Array.from(atob(bits), (character) => character.charCodeAt(0));
  const words = Math.ceil(neurons / 32);
  if (neurons < 1 || times < 1 || bytes.length !== words * times * 4) return null;
  // Little-endian, as every machine with a browser is.
  const rows = new Uint32Array(bytes.buffer);
  const buffer = createSpikeBuffer(neurons, times);
  for (let time = 0; time < times; time++)
    buffer.push(rows.subarray(time * words, (time + 1) * words));
  return buffer;
}
