import type { MetricRefusal, MetricType } from './contract/metrics.ts';
import type { Distribution } from './distribution.ts';
import type { Labels } from './labels.ts';

/** One value of a series: a number, or the buckets of a histogram or summary. */
export type Value = number | Distribution;

/** What names a series and says what it means. */
export interface Described {
  readonly service: string;
  readonly name: string;
  readonly type: MetricType;
  readonly unit: string | null;
  readonly help: string | null;
  readonly labels: Labels;
}

/** Where a sample stood in what was sent. */
export type Place = { readonly pointer: string } | { readonly line: number };

/** One sample, whatever form it came in. */
export interface Sample extends Described {
  /** Milliseconds since 1970; the time of its arrival where it is undefined. */
  readonly at: number | undefined;
  readonly value: Value;
  /** Totals since the program started, or what came since the last report. */
  readonly temporality: 'cumulative' | 'delta';
  readonly place: Place;
}

/** What a parser makes of a body. */
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
