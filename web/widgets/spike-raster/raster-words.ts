import { spikeCounts, type SpikeBuffer, type StepRange } from '../buffers/spike-buffer.ts';
import type { TableData } from '../chart/table-data.ts';
import type { ChartText } from '../chart/chart-text.ts';

/** "512 neurons, mean firing rate 6.2% over 240 steps; 14 silent." */
export function describeRaster(
  { t, format }: ChartText,
  counts: Uint32Array,
  steps: number,
): string {
  const spikes = counts.reduce((sum, count) => sum + count, 0);
  return t('raster.sentence', {
    count: counts.length,
    rate: format.percent(steps === 0 ? Number.NaN : spikes / (counts.length * steps)),
    steps,
    silent: counts.filter((count) => count === 0).length,
  });
}

/** Description of one neuron. */
export function describeNeuron(
  { t, format }: ChartText,
  neuron: number,
  count: number,
  steps: number,
): string {
  const rate = format.percent(steps === 0 ? Number.NaN : count / steps);
  return t('raster.neuron', { neuron: String(neuron), count, steps, rate });
}

/** One row a neuron: its number, its spikes and its rate within `range`. */
export function rasterTable(
  { t, format }: ChartText,
  buffer: SpikeBuffer,
  range: StepRange,
): TableData {
  const steps = range.to - range.from;
  const counts = Array.from(spikeCounts(buffer, range));
  return {
    columns: [t('raster.neuronColumn'), t('raster.spikesColumn'), t('raster.rateColumn')],
    rows: counts.map((count, neuron) => [
      String(neuron),
      String(count),
      format.percent(count / Math.max(1, steps)),
    ]),
  };
}
