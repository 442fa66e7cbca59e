import { countsOf, momentsOf, type SpikeTrain } from './spike-trains.ts';

/**
 * How much the neurons fluctuate together, in [0, 1] (Golomb & Rinzel 1994, on binned spikes): the
 * variance of the population's mean over the mean of the neurons' variances,
 *
 *   chi = sqrt(var_t(mean_i x_i) / mean_i var_t(x_i))
 *
 * 1 where all do the same, of order 1/sqrt(N) where each does as it likes. Null where nothing varies.
 */
export function populationSynchrony(
  trains: readonly SpikeTrain[],
  duration: number,
  window: number,
): number | null {
  const counts = trains.map((train) => countsOf(train, duration, window));
  const bins = counts[0]?.length ?? 0;
  const means = Array.from({ length: bins }, (_, bin) => {
    const total = counts.reduce((sum, neuron) => sum + (neuron[bin] ?? 0), 0);
    return total / counts.length;
  });
  const single = momentsOf(counts.map((neuron) => momentsOf(neuron).variance)).mean;
  return single === 0 ? null : Math.sqrt(momentsOf(means).variance / single);
}

/** Pearson correlation of two trains' counts. Null where one of them does not vary. */
export function countCorrelation(
  a: SpikeTrain,
  b: SpikeTrain,
  duration: number,
  window: number,
): number | null {
  const x = countsOf(a, duration, window);
  const y = countsOf(b, duration, window);
  const [ofX, ofY] = [momentsOf(x), momentsOf(y)];
  const spread = Math.sqrt(ofX.variance * ofY.variance);
  if (spread === 0) return null;
  const covariance = momentsOf(x.map((value, i) => (value - ofX.mean) * ((y[i] ?? 0) - ofY.mean)));
  return covariance.mean / spread;
}

/**
 * Order parameter of phases in radians, `R = |mean_j e^(i phase_j)|`: 1 where all are the same.
 */
export function phaseOrder(phases: ArrayLike<number>): number {
  let [real, imaginary] = [0, 0];
  for (let i = 0; i < phases.length; i += 1) {
    real += Math.cos(phases[i] ?? 0);
    imaginary += Math.sin(phases[i] ?? 0);
  }
  return phases.length === 0 ? 0 : Math.hypot(real, imaginary) / phases.length;
}
