import {
  LabelName,
  METRIC_LIMITS,
  MetricName,
  type MetricRefusal,
  MetricService,
} from './contract/metrics.ts';
import { type Labels, refusal, type Sample, shown } from './sample.ts';

/** A valid sample, with its time and its labels in canonical order. */
export interface Admitted extends Sample {
  readonly at: number;
}

/** Looks at one sample by itself, whatever is stored. */
export function admit(sample: Sample, now: number): Admitted | MetricRefusal {
  const { at = now, place } = sample;
  const labels = normalLabels(sample.labels, sample.service);
  const wrong = wrongName(sample) ?? wrongLabels(sample, labels) ?? wrongValue(sample);
  if (wrong !== undefined) return refusal('invalid_sample', place, wrong);
  const count = Object.keys(labels).length;
  if (count > METRIC_LIMITS.labelsPerSeries) {
    const detail = `${sample.name} has ${count} labels, expected at most ${METRIC_LIMITS.labelsPerSeries}`;
    return refusal('too_many_labels', place, detail);
  }
  if (at < now - METRIC_LIMITS.oldestS * 1000) {
    const detail = `${sample.name} is of ${shownTime(at)}, older than ${METRIC_LIMITS.oldestS} s`;
    return refusal('too_old', place, detail);
  }
  if (at > now + METRIC_LIMITS.aheadS * 1000) {
    const detail = `${sample.name} is of ${shownTime(at)}, more than ${METRIC_LIMITS.aheadS} s ahead`;
    return refusal('in_future', place, detail);
  }
  return { ...sample, at: Math.round(at), labels };
}

/**
 * Labels in canonical order, without empty ones. `service` is the reporting service; a label of that name
 * with another value becomes `exported_service`, as in Prometheus.
 */
function normalLabels(labels: Labels, service: string): Labels {
  const own = Object.entries(labels).map(([name, value]) => {
    const isOther = name === 'service' && value !== service;
    return [isOther ? 'exported_service' : name, value] as const;
  });
  const all = new Map([...own.filter(([, value]) => value !== ''), ['service', service] as const]);
  return Object.fromEntries([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function wrongName({ service, name }: Sample): string | undefined {
  if (!MetricService.safeParse(service).success)
    return `${shown(service)} is no valid service name`;
  if (!MetricName.safeParse(name).success) return `${shown(name)} is no valid metric name`;
  return undefined;
}

function wrongLabels({ name, type }: Sample, labels: Labels): string | undefined {
  const longest = METRIC_LIMITS.labelValueChars;
  for (const [label, value] of Object.entries(labels)) {
    if (!LabelName.safeParse(label).success) return `${shown(label)} is no valid label name`;
    if (value.length > longest) {
      return `the label ${label} of ${name} holds ${value.length} characters, expected at most ${longest}`;
    }
  }
  const reserved = { histogram: 'le', summary: 'quantile' }[type as string];
  if (reserved === undefined || labels[reserved] === undefined) return undefined;
  return `the label ${reserved} distinguishes the lines of a ${type}, so ${name} cannot have it`;
}

function wrongValue({ name, type, value }: Sample): string | undefined {
  if (typeof value === 'number') {
    const isTotal = value >= 0 && value < Infinity;
    if (type !== 'counter' || isTotal) return undefined;
    return `the counter ${name} must be a number from 0 on, got ${value}`;
  }
  const { bucketsPerHistogram, quantilesPerSummary } = METRIC_LIMITS;
  if (value.le.length > bucketsPerHistogram) {
    return `${name} has ${value.le.length} buckets, expected at most ${bucketsPerHistogram}`;
  }
  if ((value.quantiles?.length ?? 0) > quantilesPerSummary) {
    return `${name} has more than ${quantilesPerSummary} quantiles`;
  }
  return undefined;
}

const shownTime = (at: number): string =>
  Math.abs(at) < 8.64e15 ? new Date(at).toISOString() : String(at);
