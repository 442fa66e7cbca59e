import type { MetricRefusal, MetricType } from './contract/metrics.ts';
import type { Distribution } from './distribution.ts';

/** Labels of a series; `service` is always the service that reported it. */
export type Labels = Readonly<Record<string, string>>;

/** One value of a series: a number, or the buckets of a histogram or summary. */
export type Value = number | Distribution;

/** The identity and description of a series. */
export interface Described {
  readonly service: string;
  readonly name: string;
  readonly type: MetricType;
  readonly unit: string | null;
  readonly help: string | null;
  readonly labels: Labels;
}

/** The position of a sample in a push. */
export type Place = { readonly pointer: string } | { readonly line: number };

/** One sample, whatever format it came in. */
export interface Sample extends Described {
  /** Milliseconds since 1970; the time of its arrival where it is undefined. */
  readonly at: number | undefined;
  readonly value: Value;
  /** A total since the program started, or a delta since the last report. */
  readonly temporality: 'cumulative' | 'delta';
  readonly place: Place;
}

/** The result of parsing a push. */
export interface Parsed {
  readonly samples: readonly Sample[];
  readonly refusals: readonly MetricRefusal[];
}

export const refusal = (
  code: MetricRefusal['code'],
  place: Place,
  detail: string,
): MetricRefusal => ({ ...place, code, detail });

/** A text for a message, cut where it is long. */
export const shown = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** A sample of a gauge without a unit. */
export const gaugeSample = (
  { service, name, help }: Pick<Described, 'service' | 'name'> & { readonly help: string },
  labels: Labels,
  value: number,
): Sample => ({
  service,
  name,
  type: 'gauge',
  unit: null,
  help,
  labels,
  at: undefined,
  value,
  temporality: 'cumulative',
  place: { pointer: '' },
});

/** The length of a queue of a service, as its owner reports it. */
export const queueDepth = (service: string, queue: string, depth: number): Sample => {
  const help =
    'How much waits in a queue: metric_points to be written, notifications to be delivered, uploads to become files.';
  return gaugeSample({ service, name: 'queue_depth', help }, { queue }, depth);
};
