import type { Distribution } from './distribution.ts';
import type { Labels, Sample } from './sample.ts';

/** The description of a metric. */
export interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly unit: string | null;
}

interface Counter {
  readonly kind: 'counter' | 'gauge';
  readonly description: MetricDescription;
  readonly labels: Labels;
  value: number;
  /** The total reported so far; 0 for gauges. */
  reported: number;
}

interface Histogram {
  readonly kind: 'histogram';
  readonly description: MetricDescription;
  readonly labels: Labels;
  /** Each bucket for itself; the last one has no bound. */
  readonly counts: number[];
  sum: number;
  /** The totals reported so far. */
  readonly reported: { readonly counts: number[]; sum: number };
}

/** Upper bounds of durations in seconds, as Prometheus clients have them, with finer ones below. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

const DROPPED: MetricDescription = {
  name: 'telemetry_dropped_total',
  help: 'Measurements that were dropped, as there were too many series in one isolate.',
  unit: null,
};

/**
 * The metrics of one isolate since its last report. It has no clock and sends nothing. Reports are deltas,
 * so that many isolates add up to one series.
 */
export class MetricRegistry {
  readonly #service: string;
  readonly #limit: number;
  readonly #meters = new Map<string, Counter | Histogram>();
  #dropped = 0;

  constructor(service: string, limit = 1000) {
    this.#service = service;
    this.#limit = limit;
  }

  count(description: MetricDescription, labels: Labels, more = 1): void {
    const counter = this.#counter('counter', description, labels);
    if (counter) counter.value += more;
  }

  /** Keeps the highest value until it is reported. */
  peak(description: MetricDescription, labels: Labels, value: number): void {
    const gauge = this.#counter('gauge', description, labels);
    if (gauge) gauge.value = Math.max(gauge.value, value);
  }

  observe(description: MetricDescription, labels: Labels, seconds: number): void {
    const key = keyOf(description, labels);
    const known = this.#meters.get(key);
    const histogram = known ?? this.#add(key, newHistogram(description, labels));
    if (histogram?.kind !== 'histogram') return;
    const bucket = SECONDS.findIndex((bound) => seconds <= bound);
    const index = bucket < 0 ? SECONDS.length : bucket;
    histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
    histogram.sum += seconds;
  }

  /** The deltas since the last call, of every series, including unchanged ones. */
  take(): readonly Sample[] {
    if (this.#dropped > 0 && this.#meters.size > 0) this.#reportDrops();
    return [...this.#meters.values()].map((one) => {
      const sample = sampleOf(one, this.#service);
      if (one.kind === 'histogram') {
        addTo(one.reported, one, 1);
        one.counts.fill(0);
        one.sum = 0;
      } else {
        if (one.kind === 'counter') one.reported += one.value;
        one.value = 0;
      }
      return sample;
    });
  }

  /** All of every series since the start, whatever of it was reported. */
  totals(): readonly Sample[] {
    return [...this.#meters.values()].map((one) => {
      const whole =
        one.kind === 'histogram'
          ? addTo({ counts: [...one.counts], sum: one.sum }, one.reported, 1)
          : { value: one.value + one.reported };
      return { ...sampleOf({ ...one, ...whole }, this.#service), temporality: 'cumulative' };
    });
  }

  /** Takes a report back that did not arrive. */
  restore(samples: readonly Sample[]): void {
    for (const { name, labels, value } of samples) {
      const one = this.#meters.get(keyOf({ name }, labels));
      if (one?.kind === 'counter' && typeof value === 'number') {
        one.value += value;
        one.reported -= value;
      }
      if (one?.kind !== 'histogram' || typeof value === 'number') continue;
      const own = (count: number, i: number) => count - (value.counts[i - 1] ?? 0);
      const lost = { counts: [...value.counts, value.count].map(own), sum: value.sum };
      addTo(one, lost, 1);
      addTo(one.reported, lost, -1);
    }
  }

  #reportDrops(): void {
    const key = keyOf(DROPPED, {});
    const known = this.#meters.get(key);
    const counter = known?.kind === 'counter' ? known : newCounter('counter', DROPPED, {});
    counter.value += this.#dropped;
    this.#dropped = 0;
    this.#meters.set(key, counter);
  }

  #counter(
    kind: Counter['kind'],
    description: MetricDescription,
    labels: Labels,
  ): Counter | undefined {
    const key = keyOf(description, labels);
    const known = this.#meters.get(key) ?? this.#add(key, newCounter(kind, description, labels));
    return known?.kind === kind ? known : undefined;
  }

  #add<T extends Counter | Histogram>(key: string, description: T): T | undefined {
    if (this.#meters.size >= this.#limit) {
      this.#dropped += 1;
      return undefined;
    }
    this.#meters.set(key, description);
    return description;
  }
}

interface Observed {
  readonly counts: number[];
  sum: number;
}

function addTo(one: Observed, other: Readonly<Observed>, sign: 1 | -1): Observed {
  for (const [i, count] of other.counts.entries()) {
    one.counts[i] = (one.counts[i] ?? 0) + sign * count;
  }
  one.sum += sign * other.sum;
  return one;
}

const noCounts = (): number[] => Array.from({ length: SECONDS.length + 1 }, () => 0);

function keyOf({ name }: Pick<MetricDescription, 'name'>, labels: Labels): string {
  let key = name;
  for (const label in labels) key += `\u0000${labels[label]}`;
  return key;
}

const newCounter = (
  kind: Counter['kind'],
  description: MetricDescription,
  labels: Labels,
): Counter => ({
  kind,
  description,
  labels,
  value: 0,
  reported: 0,
});

const newHistogram = (description: MetricDescription, labels: Labels): Histogram => ({
  kind: 'histogram',
  description,
  labels,
  counts: noCounts(),
  sum: 0,
  reported: { counts: noCounts(), sum: 0 },
});

function sampleOf(one: Counter | Histogram, service: string): Sample {
  const { kind, description, labels } = one;
  return {
    service,
    ...description,
    type: kind,
    labels,
    at: undefined,
    value: one.kind === 'histogram' ? distributionOf(one) : one.value,
    temporality: kind === 'gauge' ? 'cumulative' : 'delta',
    place: { pointer: '' },
  };
}

function distributionOf({ counts, sum }: Histogram): Distribution {
  let held = 0;
  const cumulative = counts.map((own) => (held += own));
  return { le: SECONDS, counts: cumulative.slice(0, -1), count: held, sum };
}
