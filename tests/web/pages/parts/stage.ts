import { createSeriesBuffer } from '../../../../web/widgets/buffers/series-buffer.ts';
import { createSpikeBuffer } from '../../../../web/widgets/buffers/spike-buffer.ts';
import { createTraceBuffer } from '../../../../web/widgets/buffers/trace-buffer.ts';

export const NEURONS = 512;
export const COLUMNS = 240;
export const CURVES = ['loss', 'accuracy'];

/** xorshift32: the same spikes in every run. */
function createRandom(seed: number) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The buffers of the page, filled by the test from outside through `globalThis.stage`. */
export function createStage() {
  const series = createSeriesBuffer(CURVES.length, 100_000);
  const spikes = createSpikeBuffer(NEURONS, 2 * COLUMNS);
  const traces = createTraceBuffer(3, 2 * COLUMNS);
  const random = createRandom(20_261_120);
  const words = new Uint32Array(spikes.wordsPerStep);

  return {
    series,
    spikes,
    traces,
    /** One step in which each neuron fires with the probability `rate`, those from `silentFrom` on never. */
    pushSpikes(rate: number, silentFrom = NEURONS) {
      words.fill(0);
      for (let neuron = 0; neuron < silentFrom; neuron++) {
        if (random() < rate) words[neuron >>> 5]! |= 1 << (neuron & 31);
      }
      spikes.push(words);
    },
    /** One step of three neurons: one that ramps and fires every 20 steps, one half as high, one at rest. */
    pushTrace() {
      const phase = traces.steps % 20;
      traces.push([phase / 18, phase / 36, 0], [phase === 19 ? 1 : 0, 0, 0]);
    },
    /** One row of a loss that falls with noise on it, and of an accuracy that rises. */
    pushRow() {
      const step = series.length === 0 ? 0 : series.window().x.at(-1)! + 1;
      const progress = Math.exp(-step / 4_000);
      series.push(step, [2.5 * progress + 0.3 + 0.2 * (random() - 0.5), 1 - 0.9 * progress]);
    },
  };
}

export type Stage = ReturnType<typeof createStage>;
