import { callEndpoint, type Http } from '../../edge/contract/client.ts';
import { monitoringEndpoints } from '../../edge/monitoring/endpoints.ts';
import type { MetricInput, MetricsPush } from '../../edge/monitoring/contract/metrics.ts';
import type { MetricSink } from '../../edge/http/telemetry.ts';

type Sample = Parameters<MetricSink['record']>[0][number];
type Distribution = Exclude<Sample['value'], number>;

interface MonitoringSinkOptions {
  /** Where monitoring is, with a key that may write metrics. */
  readonly monitoring: Http;
  readonly service: string;
  /** Tells servers of one service apart, as each sends totals of its own. */
  readonly instance: string;
  /** Metrics of the service besides those of its requests: counters and gauges. */
  readonly more: () => readonly MetricInput[];
}

const PATIENCE_MS = 5_000;

/** Pushes what a service outside of the Worker measures to monitoring, as totals since it started. */
export function createMonitoringSink(options: MonitoringSinkOptions): MetricSink {
  const { monitoring, service, more } = options;
  const totals = createTotals();
  return {
    async record(samples) {
      // Read each time: which port a server got is known once it listens.
      const { instance } = options;
      const added = [...totals.with(samples), ...more()];
      const metrics = added.map((metric) => ({
        ...metric,
        labels: { ...metric.labels, instance },
      }));
      const push: MetricsPush = { service_name: service, metrics };
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const body = JSON.stringify(push);
      await callEndpoint(monitoring, monitoringEndpoints.pushMetrics, { body, signal });
      // Only what arrived counts: what did not is handed in again.
      totals.keep();
    },
  };
}

/** Adds what came since the last report to what came before. */
function createTotals() {
  let kept = new Map<string, Sample>();
  let next = kept;
  return {
    with(samples: readonly Sample[]): MetricInput[] {
      next = new Map(kept);
      for (const sample of samples) {
        const key = `${sample.name} ${JSON.stringify(sample.labels)}`;
        const before = kept.get(key);
        next.set(key, before ? joined(before, sample) : sample);
      }
      return [...next.values()].map(metricOf);
    },
    keep() {
      kept = next;
    },
  };
}

function joined(before: Sample, { value, ...sample }: Sample): Sample {
  const known = before.value;
  if (typeof value === 'number' || typeof known === 'number') {
    const isTotal = sample.type === 'counter' && typeof known === 'number';
    return { ...sample, value: isTotal && typeof value === 'number' ? known + value : value };
  }
  return { ...sample, value: sumOf(known, value) };
}

/** The buckets of a meter never change. */
const sumOf = (a: Distribution, b: Distribution): Distribution => ({
  le: b.le,
  counts: b.counts.map((held, i) => held + (a.counts[i] ?? 0)),
  count: a.count + b.count,
  sum: a.sum + b.sum,
});

function metricOf({ name, type, labels, unit, help, value }: Sample): MetricInput {
  const described = {
    name,
    labels,
    ...(unit !== null && { unit }),
    ...(help !== null && { help }),
  };
  if (typeof value === 'number') {
    return { ...described, type: type === 'counter' ? 'counter' : 'gauge', value };
  }
  const { le, counts, count, sum } = value;
  const buckets = le.map((bound, i) => ({ le: bound, count: counts[i] ?? 0 }));
  return { ...described, type: 'histogram', buckets, count, sum };
}
