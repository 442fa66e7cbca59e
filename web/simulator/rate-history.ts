import type { Curve } from '../../engine/pictures.ts';

/** Steps are gathered into bins of about this many ms. */
const BIN_MS = 5;

interface RateHistoryOptions {
  /** Neurons of each population. */
  readonly counts: readonly number[];
  /** ms */
  readonly dt: number;
  /** How far back it goes, ms. */
  readonly span: number;
}

/** The firing rates of populations over the newest `span` ms, Hz. */
export function createRateHistory({ counts, dt, span }: RateHistoryOptions) {
  const perBin = Math.max(1, Math.round(BIN_MS / dt));
  const most = Math.ceil(span / (perBin * dt));
  const bins: number[][] = counts.map(() => []);
  let open = counts.map(() => 0);
  let inOpen = 0;
  let closed = 0;

  function close() {
    for (const [index, rates] of bins.entries()) {
      const seconds = (perBin * dt) / 1000;
      rates.push((open[index] ?? 0) / ((counts[index] ?? 1) * seconds));
      if (rates.length > most) rates.shift();
    }
    open = counts.map(() => 0);
    inOpen = 0;
    closed++;
  }

  return {
    /** @param spikes in each step of each population: [populations][steps] */
    add(steps: number, spikes: readonly ArrayLike<number>[]) {
      for (let step = 0; step < steps; step++) {
        open = open.map((sum, index) => sum + (spikes[index]?.[step] ?? 0));
        if (++inOpen === perBin) close();
      }
    },
    /** One curve a population over the time in ms, which all of them share. */
    curves(): readonly Curve[] {
      const length = bins[0]?.length ?? 0;
      const x = Float64Array.from({ length }, (_, i) => (closed - length + i + 0.5) * perBin * dt);
      return bins.map((rates) => ({ x, y: Float64Array.from(rates) }));
    },
  };
}
